import type { Config } from '../core/config/config.ts'
import { changeIdsByProject } from '../core/db/by-project.ts'
import { allOf } from '../core/db/conditions.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { printCursor, scopeOf } from '../core/paging/cursor.ts'
import { type Listed, listPage, type Sort } from '../core/paging/paging.ts'
import {
  deleteRequests,
  findLastScannedRequest,
  findRequestIds,
  isNarrow,
  keyConditions,
  listRequestsBefore,
  listRequestsByIds,
  requestConditions,
} from './queries.ts'
import type { LoggedRequest, RequestQuery } from './schema.ts'

/** Newest first. Ids increase with time, so the primary key provides this order. */
const byTime = (sql: Sql): Sort => ({
  name: 'created_at',
  isDescending: true,
  column: sql`null::timestamptz`,
  isNullable: true,
  id: sql`r.id`,
})

/** How many requests one page searches, so that a filter without matches does not read a whole week at once. */
export const maxScannedRequests = 20_000

/** The list has no total. If a page stops searching, its cursor continues from there. */
export async function listRequests(
  sql: Sql,
  projectId: string,
  query: RequestQuery,
): Promise<Listed<LoggedRequest>> {
  const [where, sort] = [requestConditions(sql, projectId, query), byTime(sql)]
  const bounds = allOf(sql, keyConditions(sql, projectId, query))
  let last: string | null = null
  const listed = await listPage(
    {
      sql,
      sort,
      async find(condition, ordering) {
        last = isNarrow(query)
          ? null
          : await findLastScannedRequest(sql, allOf(sql, [bounds, condition]), maxScannedRequests)
        const reached = last === null ? sql`true` : sql`r.id >= ${last}`
        return findRequestIds(sql, allOf(sql, [where, condition, reached]), ordering)
      },
      load: async ids => [...(await listRequestsByIds(sql, projectId, ids))],
      count: async () => 0,
    },
    { ...query, count: false },
  )
  if (last === null || listed.has_more) return listed
  return {
    ...listed,
    has_more: true,
    next_cursor: printCursor(sort, { value: null, id: last }, scopeOf(query)),
  }
}

export async function deleteOldRequests(
  db: Db,
  { requestLogRetention }: Pick<Config, 'requestLogRetention'>,
  limit = 5_000,
): Promise<number> {
  const old = await listRequestsBefore(db, requestLogRetention, limit)
  return changeIdsByProject(old, (projectId, ids) => deleteRequests(db, projectId, ids))
}
