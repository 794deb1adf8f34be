import type { Sql } from '../core/db/db.ts'

export async function findMaintenance(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ maintenance: boolean }[]>`select maintenance from installation`
  return row?.maintenance ?? false
}
