import { anyId, type Fragment, type Sql, unprepared } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import type { FoundRow } from '../core/paging/paging.ts'
import type { AuditEntry } from './schema.ts'

type Fresh = Omit<AuditEntry, 'id' | 'created_at'>

export const insertAuditEntry = (sql: Sql, projectId: string, { detail, ...entry }: Fresh) => sql`
  insert into audit_entries (project_id, id, author_type, author_id, author_name, action, target_type, target_id,
    target_name, detail)
  values (${projectId}, ${newId()}, ${entry.author_type}, ${entry.author_id}, ${entry.author_name}, ${entry.action},
    ${entry.target_type}, ${entry.target_id}, ${entry.target_name}, ${sql.json(detail)})`

export const listAuditEntries = (sql: Sql, projectId: string, ids: string[]) => sql<AuditEntry[]>`
  select id, author_type, author_id, author_name, action, target_type, target_id, target_name, detail, created_at
  from audit_entries where project_id = ${projectId} and id = ${anyId(sql, ids)}`

export const findAuditEntryIds = (sql: Sql, where: Fragment, ordering: Fragment) =>
  unprepared(sql<FoundRow[]>`
    select e.id, e.created_at as sort_value from audit_entries e where ${where} ${ordering}`)

export async function countAuditEntries(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
    select count(*)::int as count from (select from audit_entries e where ${where} limit ${limit}) e`)
  return row!.count
}
