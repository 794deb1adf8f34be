import { type Fragment, planned, type Sql } from '../core/db.ts'
import type { Found } from '../core/paging.ts'
import type { AuditEntry } from './schema.ts'

export const insertEntry = (sql: Sql, projectId: string, entry: Omit<AuditEntry, 'created_at'>) => sql`
  insert into audit_entries ${sql({ project_id: projectId, ...entry } as never)}`

export const listEntries = (sql: Sql, projectId: string, ids: string[]) => sql<AuditEntry[]>`
  select id, author_type, author_id, author_name, action, target_type, target_id, target_name, detail, created_at
  from audit_entries where project_id = ${projectId} and id = any(${ids as never}::uuid[])`

export const findEntryIds = (sql: Sql, where: Fragment, ordering: Fragment) =>
  planned(sql<Found[]>`
    select e.id, e.created_at as sort_value from audit_entries e where ${where} ${ordering}`)

export async function countEntries(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await planned(sql<{ count: number }[]>`
    select count(*)::int as count from (select from audit_entries e where ${where} limit ${limit}) e`)
  return row!.count
}
