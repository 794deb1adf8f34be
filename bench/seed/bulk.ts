import type { Sql } from '../../src/core/db/db.ts'

/** Loading millions of rows is several times faster without indexes and references. */

export const filled = [
  'contacts',
  'contact_identities',
  'tickets',
  'ticket_activity',
  'messages',
  'events',
] as const

interface Part {
  name: string
  drop: string
  create: string
}

/** The references of these tables, and the indexes that do not belong to a constraint. */
const listParts = (sql: Sql) => sql<Part[]>`
  select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where contype = 'f' and conrelid = any(${filled as never}::regclass[])
  union all
  select i.indexrelid::regclass::text, format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
  from pg_index i where i.indrelid = any(${filled as never}::regclass[])
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
  order by name`

/** Runs `load` without them. In one transaction, so that an interrupted seed leaves the database unchanged. */
export async function withoutIndexes(sql: Sql, load: () => Promise<void>, tell: (text: string) => void) {
  const parts = await listParts(sql)
  for (const { drop } of parts) await sql.unsafe(drop)
  await load()
  for (const { name, create } of parts) {
    const begun = performance.now()
    await sql.unsafe(create)
    const seconds = (performance.now() - begun) / 1000
    if (seconds > 1) tell(`  ${name}: ${seconds.toFixed(1)} s\n`)
  }
}
