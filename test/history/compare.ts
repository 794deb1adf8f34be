import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { openPromise } from 'yauzl'
import { asList, asRecord } from '../../src/core/objects.ts'

/** Compares the exports of a project and of its copy in another project. */

type Row = Record<string, unknown>

/** The rows of each table, and the hash of each file by its name in the zip. */
interface ReadExport {
  tables: Map<string, Row[]>
  files: Map<string, string>
}

async function readExport(path: string): Promise<ReadExport> {
  const zip = await openPromise(path, { autoClose: false })
  const read: ReadExport = { tables: new Map(), files: new Map() }
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry)
    const table = /^(\w+)\.jsonl$/.exec(entry.fileName)?.[1]
    if (table)
      read.tables.set(
        table,
        (await text(content))
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line)),
      )
    else if (entry.fileName.startsWith('files/')) read.files.set(entry.fileName, await hashOf(content))
    else content.resume()
  }
  zip.close()
  return read
}

async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

/** What identifies a row in both projects. Organizations, contacts, tickets, messages and files are matched by the import's records. */
const keys: Record<string, (row: Row) => unknown> = {
  operators: row => String(row.email).toLowerCase(),
  departments: row => row.name,
  tags: row => row.name,
  custom_fields: row => [row.record, row.key],
  canned_answers: row => row.shortcut,
  saved_views: row => row.name,
  categories: row => row.slug,
  articles: row => row.slug,
}

export const comparedTables = [
  ...Object.keys(keys).slice(1),
  ...['organizations', 'contacts', 'tickets', 'messages', 'media'],
]

/** Maps the ids in the copy to those in the original. */
function matchIds(origin: ReadExport, copy: ReadExport, imported: Map<string, string>): Map<string, string> {
  const ids = new Map(imported)
  for (const [table, keyOf] of Object.entries(keys)) {
    const byKey = new Map(origin.tables.get(table)!.map(row => [JSON.stringify(keyOf(row)), String(row.id)]))
    for (const row of copy.tables.get(table)!)
      ids.set(String(row.id), byKey.get(JSON.stringify(keyOf(row))) ?? 'not in the original')
  }
  return ids
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Tables that are not copied. References to their rows are null in the copy. */
const uncopiedTables = ['api_keys', 'mailboxes', 'incoming_mails', 'telegram_bots']

const listIds = ({ tables }: ReadExport, names: Iterable<string>): Set<string> =>
  new Set([...names].flatMap(name => tables.get(name)!.map(row => String(row.id))))

/** A row of the original, with null instead of references to rows that are not copied. */
const withoutUncopied = (row: Row, uncopied: Set<string>): Row =>
  JSON.parse(JSON.stringify(row), (_, value) => (uncopied.has(value) ? null : value))

/** A row of the copy, in which the original's ids replace those of the copy. If it already contains an id of the original, that id is marked. */
const renamed = (row: Row, ids: Map<string, string>, original: Set<string>): Row =>
  JSON.parse(
    JSON.stringify(row).replaceAll(
      uuids,
      id => ids.get(id) ?? (original.has(id) ? `${id} of the original` : id),
    ),
  )

/** A path such as `identities.created_at` means this field of each row in the list. */
export interface IgnoredField {
  table: string
  field: string
  reason: string
}

function withoutField(row: Row, [name, ...rest]: string[]): Row {
  const { [name!]: value, ...others } = row
  if (!rest.length || value === null || value === undefined) return others
  const inner = Array.isArray(value)
    ? value.map(one => withoutField(asRecord(one), rest))
    : withoutField(asRecord(value), rest)
  return { ...others, [name!]: inner }
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? asList(value)
        .map(one => JSON.stringify(one))
        .sort()
    : value

/** The row without ignored fields, and with its lists sorted, because their order does not matter. */
function shapeOf(row: Row, table: string, ignored: IgnoredField[]): Row {
  const fields = ignored.filter(one => one.table === table).map(({ field }) => field.split('.'))
  const kept = fields.reduce(withoutField, row)
  return Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, sorted(value)]))
}

interface Difference {
  field: string
  count: number
  example: { id: string; origin: unknown; copy: unknown }
}

/** The fields in which rows differ. A row that only one export has differs in all its fields. */
function listDifferences(table: string, origin: Row[], copy: Row[]): Difference[] {
  const found = new Map<string, Difference>()
  const copies = new Map(copy.map(row => [row.id, row]))
  const origins = new Map(origin.map(row => [row.id, row]))
  for (const id of new Set([...origins.keys(), ...copies.keys()])) {
    const [one = {}, other = {}] = [origins.get(id), copies.get(id)]
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (isDeepStrictEqual(one[name], other[name])) continue
      const field = `${table}.${name}`
      const example = { id: String(id), origin: one[name], copy: other[name] }
      found.set(field, { field, example, count: (found.get(field)?.count ?? 0) + 1 })
    }
  }
  return [...found.values()]
}

/** `imported` maps the ids in the copy to those in the original, for organizations, contacts, tickets, messages and files. */
export async function assertSameExport(
  originPath: string,
  copyPath: string,
  imported: Map<string, string>,
  ignored: IgnoredField[],
): Promise<void> {
  const [origin, copy] = [await readExport(originPath), await readExport(copyPath)]
  const ids = matchIds(origin, copy, imported)
  const original = listIds(origin, origin.tables.keys())
  const uncopied = listIds(origin, uncopiedTables)
  const differences = comparedTables.flatMap(table => {
    const rows = copy.tables.get(table)!.map(row => renamed(row, ids, original))
    const originals = origin.tables.get(table)!.map(row => withoutUncopied(row, uncopied))
    const shape = (all: Row[]) => all.map(row => shapeOf(row, table, ignored))
    return listDifferences(table, shape(originals), shape(rows))
  })
  assert.deepEqual(differences, [])
  const files = [...copy.files].map(([name, hash]): [string, string] => [
    name.replace(uuids, id => ids.get(id) ?? id),
    hash,
  ])
  assert.deepEqual(new Map(files.sort()), new Map([...origin.files].sort()))
}
