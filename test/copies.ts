import type { Db } from '../src/core/db/db.ts'

/** Columns that ticket_activity copies from tickets, but with a different value. */
export const listUntrueCopies = (db: Db) => db<{ ticket_id: string; column: string }[]>`
  select t.id as ticket_id, c.key as column
  from tickets t join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id,
    jsonb_each(to_jsonb(a)) c
  where to_jsonb(t) ? c.key and to_jsonb(t) -> c.key <> c.value`

/** The columns that both tables have, except project_id. */
export async function listCopied(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select t.column_name as name from information_schema.columns t
    join information_schema.columns a using (table_schema, column_name)
    where t.table_name = 'tickets' and a.table_name = 'ticket_activity' and column_name <> 'project_id' order by 1`
  return rows.map(({ name }) => name)
}
