import type { Sql } from '../core/db/db.ts'
import type { ProjectTable } from './tables.ts'

export interface UniqueName {
  id: string
  name: string
  slug: string | null
  is_deleting: boolean
}

/** By slug or id, the id first: a slug may look like the id of another project. */
export const listUniqueNames = (sql: Sql, word: string) => sql<UniqueName[]>`
  select id, name, slug, deleting_since is not null as is_deleting from projects
  where slug = ${word} or id::text = ${word} order by id::text = ${word} desc`

export interface HeldRows {
  tickets: number
  messages: number
  files: number
}

/** Counts what is deleted with a project. */
export async function countHeld(sql: Sql, projectId: string): Promise<HeldRows> {
  const [row] = await sql<HeldRows[]>`
    select (select count(*)::int from tickets where project_id = ${projectId}) as tickets,
      (select count(*)::int from messages where project_id = ${projectId}) as messages,
      (select count(*)::int from media where project_id = ${projectId}) as files`
  return row!
}

export const listWaitingOrders = (sql: Sql, projectId: string) => sql<{ order_id: string }[]>`
  select order_id from payments where project_id = ${projectId} and status = 'pending' order by created_at`

/** Every check for a suspended project refuses access from now on. */
export const updateProjectDeleting = (sql: Sql, projectId: string) => sql`
  update projects set deleting_since = least(deleting_since, now()), suspended_at = least(suspended_at, now()),
    suspended_reason = 'It is being deleted'
  where id = ${projectId}`

export const updateWebhooksDeleted = (sql: Sql, projectId: string) => sql`
  update webhooks set is_active = false, deleted_at = least(deleted_at, now()) where project_id = ${projectId}`

/** Locks a project that is being deleted. Null while another process works on it, or once the project is gone. */
export async function lockDeleting(sql: Sql, projectId: string): Promise<{ is_settled: boolean } | null> {
  const [row] = await sql<{ is_settled: boolean }[]>`
    select deleting_since < now() - interval '15 seconds' as is_settled from projects
    where id = ${projectId} and deleting_since is not null for no key update skip locked`
  return row ?? null
}

export const hasProject = async (sql: Sql, projectId: string): Promise<boolean> =>
  (await sql`select from projects where id = ${projectId}`).length > 0

/** The triggers of ledger and receipts allow deletions in this transaction only. */
export const allowDeletion = (sql: Sql) => sql`select set_config('deskbell.deletes_project', 'yes', true)`

const isOf = 'project_id = $1'
const keyOf = ({ key }: ProjectTable): string => key.map(({ name }) => `"${name}"`).join(', ')

/** A place in the primary key, as text. */
type Place = string[]

function rangeOf(table: ProjectTable, after: Place | null, last: Place | null) {
  const values: string[] = []
  const bound = (sign: string, place: Place) => {
    const casts = table.key.map(({ type }, at) => `$${values.length + at + 2}::text::${type}`)
    values.push(...place)
    return ` and (${keyOf(table)}) ${sign} (${casts.join(', ')})`
  }
  const text = [isOf, after ? bound('>', after) : '', last ? bound('<=', last) : ''].join('')
  return { text, values }
}

/** The key of the last row of the next batch; null if fewer rows are left. */
async function findLast(
  sql: Sql,
  projectId: string,
  table: ProjectTable,
  after: Place | null,
  limit: number,
): Promise<Place | null> {
  if (table.key.length === 0) return null
  const range = rangeOf(table, after, null)
  const [row] = await sql.unsafe<{ place: Place }[]>(
    `select array[${table.key.map(({ name }) => `"${name}"::text`).join(', ')}] as place from "${table.name}"
      where ${range.text} order by ${keyOf(table)} offset ${limit - 1} limit 1`,
    [projectId, ...range.values],
  )
  return row?.place ?? null
}

/** Clears references from rows of later batches to rows of this one. */
async function unlink(sql: Sql, projectId: string, table: ProjectTable, range: ReturnType<typeof rangeOf>) {
  for (const link of table.links)
    await sql.unsafe(
      `update "${table.name}" set "${link}" = null
        where ${isOf} and "${link}" is not null and "${link}" in (select ${keyOf(table)} from "${table.name}" where ${range.text})
          and not (${range.text})`,
      [projectId, ...range.values],
    )
}

/** Deletes the next rows of a table in the order of its primary key, so that rows already deleted are not read again. */
export async function deleteNext(
  sql: Sql,
  projectId: string,
  table: ProjectTable,
  after: Place | null,
  limit: number,
): Promise<{ rows: number; last: Place | null }> {
  const last = await findLast(sql, projectId, table, after, limit)
  const range = rangeOf(table, after, last)
  await unlink(sql, projectId, table, range)
  const { count } = await sql.unsafe(`delete from "${table.name}" where ${range.text}`, [
    projectId,
    ...range.values,
  ])
  return { rows: count, last }
}

/** Numbers of deleted receipts are not reused. */
export const updateLastReceiptNumber = (sql: Sql, projectId: string) => sql`
  update installation set last_receipt = greatest(last_receipt,
    (select coalesce(max(number), 0) from receipts where project_id = ${projectId}))`

export async function countObjects(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from stray_objects
    where bucket_id in (select id from buckets where project_id = ${projectId})`
  return row!.count
}

/** Forgets objects of a bucket, which stay in the bucket. */
export const deleteStrayObjects = (sql: Sql, projectId: string) => sql`
  delete from stray_objects where bucket_id in (select id from buckets where project_id = ${projectId})`

export const deleteProject = (sql: Sql, projectId: string) => sql`
  delete from projects where id = ${projectId}`
