import type { Db } from '../../src/core/db/db.ts'
import type { Keys } from './judge.ts'

/** Each table whose rows belong to a project. A row of `projects` is found by its id. */
export async function listKeys(db: Db): Promise<Keys> {
  const rows = await db<{ table: string; column: string; position: number }[]>`
    select c.relname as table, a.attname as column, a.attnum::int as position
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and a.attname = case c.relname when 'projects' then 'id' else 'project_id' end`
  return new Map(rows.map(({ table, column, position }) => [table, { column, position }]))
}
