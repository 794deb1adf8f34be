import type { Sql } from '../core/db.ts'

export const setMaintenance = async (sql: Sql, on: boolean): Promise<void> => {
  await sql`update installation set maintenance = ${on}`
}

export const isMaintenance = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ maintenance: boolean }[]>`select maintenance from installation`
  return row?.maintenance ?? false
}
