import type { Db } from './db.ts'

/**
 * Analyzes tables that have grown to several times their size since the last ANALYZE. A plan that a connection made for an empty
 * table may read a whole project for each row. ANALYZE discards it at once, whereas autovacuum could take half a minute.
 */
export async function analyzeGrownTables(db: Db): Promise<number> {
  const grown = await db<{ relname: string }[]>`
    select s.relname from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage') and s.n_mod_since_analyze > greatest(200, 2 * c.reltuples)`
  for (const { relname } of grown) await db`analyze ${db(relname)}`
  return 0
}
