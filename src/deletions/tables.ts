import type { Sql } from '../core/db/db.ts'

/** Reads the tables of projects from the database's catalogue, so that new tables are included. */

interface Column {
  name: string
  type: string
}

export interface ProjectTable {
  name: string
  /** The primary key without the project. */
  key: Column[]
  /** Columns that reference a row of the same table and would block its deletion. */
  links: string[]
}

interface Found extends ProjectTable {
  /** Other tables that reference this one. */
  referrers: string[]
}

const findTables = (sql: Sql) => sql<Found[]>`
  select c.relname as name,
    (select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.at), '[]')
      from pg_index i, unnest(i.indkey) with ordinality as k (number, at), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.number
        and a.attname <> 'project_id') as key,
    array(select a.attname::text from pg_constraint f, unnest(f.conkey) as number, pg_attribute a
      where f.contype = 'f' and f.conrelid = c.oid and f.confrelid = c.oid and f.confdeltype = 'a'
        and a.attrelid = c.oid and a.attnum = number and a.attname <> 'project_id') as links,
    array(select r.relname::text from pg_constraint f join pg_class r on r.oid = f.conrelid
      where f.contype = 'f' and f.confrelid = c.oid and f.conrelid <> c.oid) as referrers
  from pg_class c join pg_attribute p on p.attrelid = c.oid and p.attname = 'project_id' and not p.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`

/** Lists each table after the tables that reference it. */
export async function listProjectTables(sql: Sql): Promise<ProjectTable[]> {
  const left = new Map((await findTables(sql)).map(table => [table.name, table]))
  const ordered: ProjectTable[] = []
  while (left.size) {
    const next = [...left.values()].find(({ referrers }) => !referrers.some(name => left.has(name)))
    if (!next) throw new Error(`The tables ${[...left.keys()].join(', ')} reference one another`)
    left.delete(next.name)
    ordered.push(next)
  }
  return ordered
}
