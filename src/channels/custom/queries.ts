import { type Fragment, type Sql, updateVersioned } from '../../core/db/db.ts'
import { isId } from '../../core/ids.ts'
import type { Picture } from '../../core/picture.ts'
import type { Messenger } from '../messenger/messenger.ts'
import type { CustomChannel, CustomChannelChange, NewCustomChannel } from './schema.ts'

/** Statements about custom channels. */

export const customMessenger: Messenger = {
  accounts: 'custom_channels',
  messages: 'custom_messages',
  notFound: 'CHANNEL_NOT_FOUND',
}

const columns = (sql: Sql): Fragment =>
  sql`c.id, c.name, c.title, c.color, c.department_id, c.picture is not null as has_picture, c.state, c.last_request_at,
    c.last_received_at, c.version, c.created_at`

/** The messages of the channel that wait for its program. */
const waiting = (sql: Sql, projectId: string): Fragment =>
  sql`lateral (select count(*)::int as waiting, min(q.created_at) as waiting_since from outgoing_queue q
    where q.project_id = ${projectId} and q.account_id = c.id) w`

export const listChannelRows = (sql: Sql, projectId: string) => sql<CustomChannel[]>`
  select ${columns(sql)}, w.waiting, w.waiting_since from custom_channels c, ${waiting(sql, projectId)}
  where c.project_id = ${projectId} order by c.created_at, c.id`

/** The reference is the id or the name of a channel. */
const isReferenced = (sql: Sql, projectId: string, reference: string): Fragment =>
  isId(reference)
    ? sql`c.project_id = ${projectId} and c.id = ${reference}`
    : sql`c.project_id = ${projectId} and c.name = ${reference.replaceAll('\0', '')}`

export async function findChannelRow(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<CustomChannel | null> {
  const [row] = await sql<CustomChannel[]>`
    select ${columns(sql)}, w.waiting, w.waiting_since from custom_channels c, ${waiting(sql, projectId)}
    where ${isReferenced(sql, projectId, reference)}`
  return row ?? null
}

export type ChannelRow = Omit<CustomChannel, 'waiting' | 'waiting_since'>

export async function lockChannel(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<ChannelRow | null> {
  const [row] = await sql<ChannelRow[]>`
    select ${columns(sql)} from custom_channels c where ${isReferenced(sql, projectId, reference)} for no key update`
  return row ?? null
}

/** Returns false if the project already has a channel with this name. */
export async function insertChannel(
  sql: Sql,
  projectId: string,
  id: string,
  { name, title, color, department_id = null }: NewCustomChannel & { color: string },
): Promise<boolean> {
  const { count } = await sql`
    insert into custom_channels (project_id, id, name, title, color, department_id)
    values (${projectId}, ${id}, ${name}, ${title}, ${color}, ${department_id})
    on conflict (project_id, name) do nothing`
  return count > 0
}

type ChannelFields = CustomChannelChange & {
  state?: CustomChannel['state']
  picture?: Buffer | null
  picture_type?: string | null
}

export const updateChannel = (sql: Sql, projectId: string, id: string, fields: ChannelFields) => sql`
  ${updateVersioned(sql, 'custom_channels', fields)} where project_id = ${projectId} and id = ${id}`

export async function findChannelPicture(sql: Sql, projectId: string, id: string): Promise<Picture | null> {
  const [row] = await sql<Picture[]>`
    select picture as bytes, picture_type as content_type from custom_channels
    where project_id = ${projectId} and id = ${id} and picture is not null`
  return row ?? null
}

/** Until the transaction ends, no other one can write a message of the channel. */
export const lockChannelToDelete = (sql: Sql, projectId: string, id: string) => sql`
  select from custom_channels where project_id = ${projectId} and id = ${id} for update`

/** Records the time of a request of the program. A time that is less than 10 seconds old is kept, because requests would wait for the row's lock. */
export const updateChannelUse = (
  sql: Sql,
  projectId: string,
  id: string,
  time: 'last_request_at' | 'last_received_at',
) => sql`
  update custom_channels set ${sql(time)} = now() where project_id = ${projectId} and id = ${id}
    and (${sql(time)} is null or ${sql(time)} < now() - interval '10 seconds')`
