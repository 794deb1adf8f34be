import type { Sql } from '../core/db/db.ts'

/** Returns false if nothing changed. */
export const setMaintenance = async (sql: Sql, on: boolean): Promise<boolean> =>
  (await sql`update installation set maintenance = ${on} where maintenance <> ${on}`).count > 0

export const isMaintenance = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ maintenance: boolean }[]>`select maintenance from installation`
  return row?.maintenance ?? false
}
