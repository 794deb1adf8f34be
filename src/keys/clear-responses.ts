import type { Vault } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'
import { labelOf, responseTables } from './idempotency.ts'

/** Clears stored responses about deleted records. Their rows stay, so that a repeated request is refused and creates nothing again. */

const batchSize = 500

/** The response after which the next batch begins. */
export interface ResponsePlace {
  table: number
  caller: string
  key: string
}

interface StoredBody {
  caller: string
  key: string
  body: Buffer
}

const listBodies = (sql: Sql, projectId: string, { table, caller, key }: ResponsePlace) => {
  const [name, column] = responseTables[table]!
  return sql<StoredBody[]>`
    select ${sql(column)} as caller, key, body from ${sql(name)}
    where project_id = ${projectId} and body is not null and (${sql(column)}, key) > (${caller}::uuid, ${key})
    order by ${sql(column)}, key limit ${batchSize}`
}

const updateBody = (sql: Sql, projectId: string, table: number, { caller, key }: StoredBody) => {
  const [name, column] = responseTables[table]!
  return sql`
    update ${sql(name)} set body = null
    where project_id = ${projectId} and ${sql(column)} = ${caller} and key = ${key}`
}

const minId = '00000000-0000-0000-0000-000000000000'
const start = (table: number): ResponsePlace => ({ table, caller: minId, key: '' })

const idsIn = (text: string): string[] =>
  [...text.matchAll(/"([0-9a-f-]{36})"/g)].map(([, id]) => id!).filter(isId)

/** Clears some responses. Returns where the next batch begins, or null at the end. `isAbout` returns the deleted ones among the ids. */
export async function clearResponses(
  sql: Sql,
  projectId: string,
  vault: Vault,
  { from, isAbout }: { from: ResponsePlace | null; isAbout(ids: string[]): Promise<Iterable<string>> },
): Promise<ResponsePlace | null> {
  const place = from ?? start(0)
  const rows = await listBodies(sql, projectId, place)
  const found = rows.map(row => ({ row, ids: idsIn(vault.open(row.body, labelOf(projectId))) }))
  const deleted = new Set(await isAbout([...new Set(found.flatMap(({ ids }) => ids))]))
  for (const { row, ids } of found)
    if (ids.some(id => deleted.has(id))) await updateBody(sql, projectId, place.table, row)
  const last = rows.at(-1)
  if (last && rows.length === batchSize) return { table: place.table, caller: last.caller, key: last.key }
  return place.table + 1 < responseTables.length ? start(place.table + 1) : null
}
