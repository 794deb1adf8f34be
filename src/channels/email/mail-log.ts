import { allOf, conditionIf, timeRange } from '../../core/conditions.ts'
import type { Fragment, Sql } from '../../core/db.ts'
import { isId } from '../../core/ids.ts'
import { type Listed, listPage } from '../../core/paging.ts'
import { countIncomingMails, findIncomingMailIds, listIncomingMails } from './mail-log-queries.ts'
import type { LoggedMail, MailLogQuery } from './schema.ts'

const conditions = (sql: Sql, projectId: string, query: MailLogQuery): Fragment =>
  allOf(sql, [
    sql`i.project_id = ${projectId}` as Fragment,
    ...conditionIf(query.mailbox_id, id => (isId(id) ? sql`i.mailbox_id = ${id}` : sql`false`) as Fragment),
    ...conditionIf(query.state, states => sql`i.state = any(${states as never}::text[])` as Fragment),
    ...timeRange(sql, sql`i.created_at` as Fragment, query.created_after, query.created_before),
  ])

/** Lists received emails, newest first. */
export function pageMailLog(sql: Sql, projectId: string, query: MailLogQuery): Promise<Listed<LoggedMail>> {
  const where = conditions(sql, projectId, query)
  return listPage(
    {
      sql,
      sort: {
        name: 'created_at',
        isDescending: true,
        column: sql`i.created_at` as Fragment,
        id: sql`i.id` as Fragment,
      },
      find: (condition, ordering) =>
        findIncomingMailIds(sql, sql`${where} and ${condition}` as Fragment, ordering),
      load: ids => listIncomingMails(sql, projectId, ids),
      count: limit => countIncomingMails(sql, where, limit),
    },
    query,
  )
}
