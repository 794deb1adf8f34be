import type { Db, Sql } from '../core/db.ts'
import { indexVersion } from '../core/words/vector.ts'
import type { Indexed } from './source.ts'

/** Rows that a statement indexes again. The text of each may be long. */
const batch = 1_000

/** A row and where it lies, which holds while it is locked. */
type Placed<Row> = Row & { place: string }

/** By the place of the rows, which are locked: their keys differ from table to table. */
async function write<Row extends object>(
  sql: Sql,
  projectId: string,
  { table, printIndex }: Indexed<Row>,
  rows: readonly Placed<Row>[],
): Promise<void> {
  await sql`
    update ${sql(table)} t set search = x.search::tsvector, search_version = ${indexVersion}
    from unnest(${rows.map(({ place }) => place) as never}::text[], ${rows.map(printIndex) as never}::text[])
      as x (place, search)
    where t.project_id = ${projectId} and t.ctid = x.place::tid`
}

/** Indexes rows of one change again, whose texts it has changed and which it has locked. */
export async function reindex<Row extends object>(
  sql: Sql,
  projectId: string,
  indexed: Indexed<Row>,
  column: string,
  id: string,
): Promise<void> {
  const rows = await sql<Placed<never>[]>`
    select ctid::text as place, ${sql(indexed.columns as string[])} from ${sql(indexed.table)}
    where project_id = ${projectId} and ${sql(column)} = ${id} for no key update`
  if (rows.length) await write(sql, projectId, indexed, rows as readonly Placed<Row>[])
}

/** Indexes some of a project's rows that an older version or a restore has written. Returns how many. */
export const indexSome = <Row extends object>(
  db: Db,
  projectId: string,
  indexed: Indexed<Row>,
): Promise<number> =>
  db.begin(async tx => {
    const sql = tx as unknown as Sql
    const rows = await sql<Placed<never>[]>`
      select ctid::text as place, ${sql(indexed.columns as string[])} from ${sql(indexed.table)}
      where project_id = ${projectId} and search_version < ${indexVersion} limit ${batch}
      for no key update skip locked`
    if (rows.length) await write(sql, projectId, indexed, rows as readonly Placed<Row>[])
    return rows.length
  }) as Promise<number>
