import { pipeline } from 'node:stream/promises'
import { SetupError } from '../core/config/setup-error.ts'
import type { Sql } from '../core/db/db.ts'
import type { Archive } from './archive.ts'
import { copyFrom, quote } from './copy.ts'
import { describeTable, type TableEntry } from './manifest.ts'
import { listBackupTables, listIndexes, listReferences, listSearchTriggers } from './queries.ts'
import type { StallWatch } from './stall-timeout.ts'

type Tell = (line: string) => void

async function* heard(content: AsyncIterable<Buffer>, hear: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hear()
    yield chunk
  }
}

async function load(sql: Sql, archive: Archive, entry: TableEntry, { hear }: StallWatch): Promise<void> {
  const content = await archive.read(entry)
  const target = await sql.unsafe(copyFrom({ name: entry.table, columns: entry.columns })).writable()
  await pipeline(heard(content, hear), target)
  const [row] = await sql.unsafe<{ count: number }[]>(
    `select count(*)::int as count from ${quote(entry.table)}`,
  )
  if (row!.count !== entry.rows)
    throw new SetupError(`The table ${entry.table} has ${row!.count} rows instead of ${entry.rows}`)
}

/** Makes the load faster: drops indexes and references, disables triggers, and restores all of them afterwards. */
async function withoutChecks(sql: Sql, names: string[], work: () => Promise<void>): Promise<void> {
  const [references, indexes] = [await listReferences(sql), await listIndexes(sql)]
  for (const { table, name } of references) await sql.unsafe(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  for (const name of names) await sql.unsafe(`alter table ${quote(name)} disable trigger user`)
  for (const { table, name } of await listSearchTriggers(sql))
    await sql.unsafe(`alter table ${table} enable trigger ${name}`)
  await work()
  for (const name of names) await sql.unsafe(`alter table ${quote(name)} enable trigger user`)
  for (const { definition } of indexes) await sql.unsafe(definition)
  for (const { table, name, definition } of references)
    await sql.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
}

/** Fills the tables that the migrations have just created, and replaces the rows that the migrations inserted. */
export async function fillTables(sql: Sql, archive: Archive, watch: StallWatch, tell: Tell): Promise<void> {
  const names = (await listBackupTables(sql)).map(({ name }) => name)
  const { tables } = archive.manifest
  const unknown = tables.find(({ table }) => !names.includes(table))
  if (unknown)
    throw new SetupError(`The archive has a table ${unknown.table} that the migrations do not create`)
  await withoutChecks(sql, names, async () => {
    await sql.unsafe(`truncate ${names.map(quote).join(', ')}`)
    for (const entry of tables) {
      await load(sql, archive, entry, watch)
      if (entry.rows) tell(describeTable(entry))
    }
    tell('indexes and references')
  })
}
