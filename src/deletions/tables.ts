import type { Sql } from '../core/db.ts'

/** What belongs to projects, as the database itself says: a new table is emptied without being named anywhere. */

interface Column {
  name: string
  type: string
}

export interface ProjectTable {
  name: string
  /** The primary key without the project. */
  key: Column[]
  /** Columns by which a row names another row of the same table, and which keep that one from being deleted. */
  links: string[]
}

interface Found extends ProjectTable {
  /** Tables whose rows name rows of this one. */
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

/** Each after those whose rows name its own. */
export async function listProjectTables(sql: Sql): Promise<ProjectTable[]> {
  const left = new Map((await findTables(sql)).map(table => [table.name, table]))
  const ordered: ProjectTable[] = []
  while (left.size) {
    const next = [...left.values()].find(({ referrers }) => !referrers.some(name => left.has(name)))
    if (!next) throw new Error(`The tables ${[...left.keys()].join(', ')} name one another`)
    left.delete(next.name)
    ordered.push(next)
  }
  return ordered
}
