import type { Config } from '../core/config.ts'
import type { Db, Fragment, Sql } from '../core/db.ts'
import { type Listed, listPage, type Sort } from '../core/paging.ts'
import { conditions, deleteBefore, findRequests, loadRequests } from './queries.ts'
import type { LoggedRequest, RequestQuery } from './schema.ts'

export { createRecorder, type Recorder, record } from './recorder.ts'

/** Newest first: ids are made in the order of time, so the primary key serves the sort. */
const byTime = (sql: Sql): Sort => ({
  name: 'created_at',
  isDescending: true,
  column: sql`null::timestamptz` as Fragment,
  isNullable: true,
  id: sql`r.id` as Fragment,
})

/** Never counted: a filter may have to look at a week of requests. */
export function listRequests(
  sql: Sql,
  projectId: string,
  query: RequestQuery,
): Promise<Listed<LoggedRequest>> {
  const where = conditions(sql, projectId, query)
  return listPage(
    {
      sql,
      sort: byTime(sql),
      find: (condition, ordering) => findRequests(sql, sql`${where} and ${condition}` as Fragment, ordering),
      load: async ids => [...(await loadRequests(sql, projectId, ids))],
      count: async () => 0,
    },
    { ...query, count: false },
  )
}

export async function deleteOldRequests(
  db: Db,
  { requestLogRetention }: Pick<Config, 'requestLogRetention'>,
  limit = 5_000,
): Promise<number> {
  const { count } = await deleteBefore(db, requestLogRetention, limit)
  return count
}
