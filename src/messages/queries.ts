import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import { isId } from '../core/ids.ts'
import { mediaOfMessage } from '../media/media.ts'
import type { MediaItem } from '../media/schema.ts'
import { isOutgoingChannelIn } from './outlets.ts'
import type { FollowUp, Message, StoredEmail } from './schema.ts'

export interface MessageRow extends Omit<Message, '_links' | 'content_html' | 'delivery'> {
  content_html: string | null
  delivery_status: Message['delivery']['status']
  delivery_error: string | null
  delivery_attempts: number
  delivery_updated_at: string
}

/** A message before it is stored. */
export interface MessageDraft {
  id: string
  ticket_id: string
  sender_type: Message['sender_type']
  sender_id: string | null
  sender_name: string | null
  sender_avatar_url: string | null
  contact_identity: Message['contact_identity']
  /** Null means the ticket's channel. */
  channel: string | null
  content: string
  content_format: Message['content_format']
  /** Sanitised HTML that the content is the text of; null means the HTML is rendered from the content. */
  content_html: string | null
  is_internal: boolean
  reply_to_id: string | null
  external_id: string | null
  key_id: string | null
  send_at: string | null
  email: StoredEmail | null
  system: Record<string, unknown> | null
  media: MediaItem[]
  /** Operators to notify. */
  mentions: string[]
  /** The status of the ticket after the reply; null means the setting of the project. */
  after_reply: FollowUp | null
  created_at: string
}

/** The time of the last change, in the form in which it is indexed. */
export const changedAt = (sql: Sql): Fragment => sql`coalesce(m.updated_at, m.created_at)`

/** A message in the email of another message has that message's recipients. */
const recipients = (sql: Sql, projectId: string): Fragment =>
  sql`(select coalesce(jsonb_agg(jsonb_build_object('address', r.address, 'name', r.name, 'kind', r.kind, 'status', r.status,
      'code', r.code, 'words', r.words, 'updated_at', to_char(r.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'))
      order by r.kind desc, r.address), '[]') from mail_recipients r
    where r.project_id = ${projectId} and r.message_id = coalesce((select u.sent_with from unread_replies u
      where u.project_id = ${projectId} and u.message_id = m.id), m.id))`

const columns = (sql: Sql, projectId: string): Fragment =>
  sql`
  m.id, m.ticket_id, m.project_id as workspace_id, m.sender_type, m.sender_id, m.sender_name, m.sender_avatar_url,
  m.contact_identity, m.content, m.content_format, m.content_html, m.is_internal, m.reply_to_id, m.channel, m.external_id, m.key_id,
  m.delivery_status, m.delivery_error, m.delivery_attempts, m.delivery_updated_at, m.send_at,
  case when m.email is not null then m.email || jsonb_build_object('recipients', ${recipients(sql, projectId)}) end as email, m.system,
  m.version, m.created_at, ${changedAt(sql)} as updated_at, m.edited_at, m.deleted_at,
  ${mediaOfMessage(sql, projectId)} as media,
  (select coalesce(jsonb_agg(jsonb_build_object('emoji', r.emoji, 'reactor_kind', r.reactor_kind,
      'reactor_id', r.reactor_id, 'created_at', to_char(r.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'))
      order by r.created_at), '[]') from message_reactions r
    where r.project_id = ${projectId} and r.message_id = m.id) as reactions`

/** The ticket in a path, which may be an id or a number. */
export async function findTicketId(sql: Sql, projectId: string, reference: string): Promise<string | null> {
  const isNumber = /^[1-9][0-9]{0,14}$/.test(reference)
  if (!isNumber && !isId(reference)) return null
  const [row] = isNumber
    ? await sql<
        { id: string }[]
      >`select id from tickets where project_id = ${projectId} and number = ${reference}`
    : await sql<
        { id: string }[]
      >`select id from tickets where project_id = ${projectId} and id = ${reference}`
  return row?.id ?? null
}

/** Whether messages in this ticket leave Deskbell. False if there is no such ticket or it was merged. */
export async function hasOutgoingChannel(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const { count } = await sql`
    select from tickets where project_id = ${projectId} and id = ${id} and merged_into_id is null
      and ${isOutgoingChannelIn(sql, sql`channel`)}`
  return count > 0
}

/** Follows merges from a ticket to one that was not merged; null if there is no such ticket. */
export async function findSurvivor(sql: Sql, projectId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    with recursive chain as (
      select id, merged_into_id from tickets where project_id = ${projectId} and id = ${id}
      union
      select t.id, t.merged_into_id from chain c
      join tickets t on t.project_id = ${projectId} and t.id = c.merged_into_id
    ) select id from chain where merged_into_id is null`
  return row?.id ?? null
}

export async function findMessage(sql: Sql, projectId: string, id: string): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    select ${columns(sql, projectId)} from messages m where m.project_id = ${projectId} and m.id = ${id}`
  return row ?? null
}

export async function findMessageByExternalId(sql: Sql, projectId: string, externalId: string) {
  const [row] = await sql<MessageRow[]>`
    select ${columns(sql, projectId)} from messages m where m.project_id = ${projectId} and m.external_id = ${externalId}`
  return row ?? null
}

export async function lockMessage(sql: Sql, projectId: string, id: string): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    select ${columns(sql, projectId)} from messages m where m.project_id = ${projectId} and m.id = ${id} for no key update of m`
  return row ?? null
}

export const listMessages = (sql: Sql, projectId: string, ids: string[]) => sql<MessageRow[]>`
  select ${columns(sql, projectId)} from messages m where m.project_id = ${projectId} and m.id = ${anyId(sql, ids)}`

export const findMessageIds = (sql: Sql, where: Fragment, sortBy: Fragment, ordering: Fragment) =>
  sql<{ id: string; sort_value: string }[]>`
    select m.id, ${sortBy} as sort_value from messages m where ${where} ${ordering}`

export async function countMessages(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from messages m where ${where} limit ${limit}) m`
  return row!.count
}
