import { type Db, type Fragment, isRefusedValue, type Sql } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'
import type { Indexed } from './source.ts'
import { createTurns } from './turns.ts'

/** A row as it was read. It is unchanged if its place and the transaction that wrote it are the same. */
interface Stored {
  place: string
  writer: string
}

/** A row, and its new entry in the index. */
interface Printed extends Stored {
  entry: string
}

const columnsOf = (sql: Sql, columns: readonly string[]): Fragment =>
  sql`ctid::text as place, xmin::text as writer, ${sql(columns)}`

/** Rows that have changed since they were read are left as they are. */
const write = (sql: Sql, projectId: string, table: string, rows: readonly Printed[]) => sql`
  update ${sql(table)} t set search = x.search::tsvector, search_version = ${indexVersion}
  from unnest(${rows.map(({ place }) => place)}::text[], ${rows.map(({ writer }) => writer)}::text[],
    ${rows.map(({ entry }) => entry)}::text[]) as x (place, writer, search)
  where t.project_id = ${projectId} and t.ctid = x.place::tid and t.xmin::text = x.writer`

/** Indexes the rows of a change again. The change has locked them and changed their texts. */
export async function reindex<Row extends object>(
  sql: Sql,
  projectId: string,
  { table, columns, printIndex }: Indexed<Row>,
  column: string,
  id: string,
): Promise<void> {
  const rows = await sql<(Row & Stored)[]>`
    select ${columnsOf(sql, columns)} from ${sql(table)}
    where project_id = ${projectId} and ${sql(column)} = ${id} for no key update`
  const printed = rows.map(row => ({ ...row, entry: printIndex(row) }))
  if (printed.length) await write(sql, projectId, table, printed)
}

/** Rows that are read at once, and characters of entries per statement. */
const [batchSize, maxEntriesLength] = [200, 1_000_000]

/** If Postgres refuses an entry, its row gets an empty one, so that all others are indexed. */
async function writeEach(db: Db, projectId: string, table: string, rows: readonly Printed[]): Promise<void> {
  try {
    await write(db, projectId, table, rows)
  } catch (error) {
    if (!isRefusedValue(error)) throw error
    if (rows.length === 1) await write(db, projectId, table, [{ ...rows[0]!, entry: '' }])
    else for (const row of rows) await writeEach(db, projectId, table, [row])
  }
}

/**
 * Indexes some of a project's rows that an older version or a restore has written, and returns how many. Long texts take time,
 * during which no transaction is held and other work can run.
 */
export async function indexSome<Row extends object>(
  db: Db,
  projectId: string,
  { table, columns, printIndex }: Indexed<Row>,
): Promise<number> {
  const rows = await db<(Row & Stored)[]>`
    select ${columnsOf(db, columns)} from ${db(table)}
    where project_id = ${projectId} and search_version < ${indexVersion} limit ${batchSize}`
  let [printed, length]: [Printed[], number] = [[], 0]
  const takeTurn = createTurns()
  for (const row of rows) {
    await takeTurn()
    const entry = printIndex(row)
    printed.push({ place: row.place, writer: row.writer, entry })
    length += entry.length
    if (length < maxEntriesLength) continue
    await writeEach(db, projectId, table, printed)
    ;[printed, length] = [[], 0]
  }
  if (printed.length) await writeEach(db, projectId, table, printed)
  return rows.length
}
