import type { Sql } from '../core/db/db.ts'

/** The buyer as printed on receipts. Fields that were not entered are empty. */
export interface Buyer {
  name: string
  address: string
  tax_number: string
}

export async function findBuyer(sql: Sql, projectId: string): Promise<Buyer> {
  const [buyer] = await sql<Buyer[]>`
    select name, address, tax_number from buyers where project_id = ${projectId}`
  return buyer ?? { name: '', address: '', tax_number: '' }
}

export const putBuyer = (sql: Sql, projectId: string, { name, address, tax_number }: Buyer) => sql`
  insert into buyers (project_id, name, address, tax_number) values (${projectId}, ${name}, ${address}, ${tax_number})
  on conflict (project_id) do update set name = excluded.name, address = excluded.address, tax_number = excluded.tax_number`
