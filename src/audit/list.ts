import { allOf, conditionIf, timeRange } from '../core/db/conditions.ts'
import type { Fragment, Sql } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'
import { type Listed, listPage } from '../core/paging/paging.ts'
import { countAuditEntries, findAuditEntryIds, listAuditEntries } from './queries.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'

const conditions = (sql: Sql, projectId: string, query: AuditQuery): Fragment =>
  allOf(sql, [
    sql`e.project_id = ${projectId}`,
    ...conditionIf(query.action, action =>
      action.includes('.') ? sql`e.action = ${action}` : sql`split_part(e.action, '.', 1) = ${action}`,
    ),
    ...conditionIf(query.author_id, id => (isId(id) ? sql`e.author_id = ${id}` : sql`false`)),
    ...conditionIf(query.target_id, id => sql`e.target_id = ${id}`),
    ...timeRange(sql, sql`e.created_at`, query.created_after, query.created_before),
  ])

/** Newest first. */
export function pageAuditEntries(
  sql: Sql,
  projectId: string,
  query: AuditQuery,
): Promise<Listed<AuditEntry>> {
  const where = conditions(sql, projectId, query)
  const column = sql`e.created_at`
  return listPage(
    {
      sql,
      sort: { name: 'created_at', isDescending: true, column, id: sql`e.id` },
      find: (condition, ordering) => findAuditEntryIds(sql, sql`${where} and ${condition}`, ordering),
      load: ids => listAuditEntries(sql, projectId, ids),
      count: limit => countAuditEntries(sql, where, limit),
    },
    query,
  )
}
