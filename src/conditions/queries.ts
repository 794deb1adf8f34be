import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { NamedRecord } from './fields.ts'

const rowsOf = (sql: Sql, projectId: string): Record<NamedRecord, Fragment> => ({
  department: sql`departments r where r.project_id = ${projectId}`,
  operator: sql`operators r where r.project_id = ${projectId} and r.removed_at is null`,
  contact: sql`contacts r where r.project_id = ${projectId}`,
  organization: sql`organizations r where r.project_id = ${projectId}`,
})

/** Those of the ids that belong to a record. */
export async function listExisting(
  sql: Sql,
  projectId: string,
  record: NamedRecord,
  ids: string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from ${rowsOf(sql, projectId)[record]} and r.id = ${anyId(sql, ids)}`
  return rows.map(({ id }) => id)
}
