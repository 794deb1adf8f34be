import type { Sql } from '../../../core/db/db.ts'

/** What to send, and how much of it was sent. */

export type SendMark = 'maybe_sent_twice' | 'outcome_unknown'

export interface SentContent {
  id: string
  ticket_id: string
  content: string
  content_format: 'text' | 'markdown' | 'html'
  content_html: string | null
  is_deleted: boolean
  reply_to_id: string | null
  delivery_status: string
}

export interface SendRow extends SentContent {
  sender_type: string
  /** Whether Deskbell wrote it. */
  is_automatic: boolean
  chat_id: string
  topic_id: number
  /** Null for a received message. */
  next_part: number | null
  mark: SendMark | null
  is_edited: boolean
  buttons: string | null
  reaction: string | null
  /** Telegram's id of the chat. */
  telegram_chat_id: number
  title: string
  is_blocked: boolean
  bot_id: string
}

/** Null if the message is not sent through Telegram, or if its chat was removed along with its bot. */
export async function findSend(sql: Sql, projectId: string, messageId: string): Promise<SendRow | null> {
  const [row] = await sql<SendRow[]>`
    select m.id, m.ticket_id, m.content, m.content_format, m.content_html, m.deleted_at is not null as is_deleted, m.reply_to_id,
      m.delivery_status, m.sender_type, coalesce(m.system->>'kind' = 'automatic_message', false) as is_automatic, s.chat_id, s.topic_id::float8 as topic_id, s.next_part, s.mark, s.is_edited, s.buttons, s.reaction,
      c.chat_id::float8 as telegram_chat_id, c.title, c.blocked_at is not null as is_blocked, c.bot_id
    from telegram_sends s join messages m on m.project_id = ${projectId} and m.id = s.message_id
      join telegram_chats c on c.project_id = ${projectId} and c.id = s.chat_id
    where s.project_id = ${projectId} and s.message_id = ${messageId}`
  return row ?? null
}

export interface SentFile {
  id: string
  filename: string
  content_type: string
  size: number
  width: number | null
  height: number | null
  bucket_id: string | null
  storage_key: string
}

export const listSentFiles = (sql: Sql, projectId: string, messageId: string) => sql<SentFile[]>`
  select id, filename, content_type, size::float8 as size, width, height, bucket_id, storage_key from media
  where project_id = ${projectId} and message_id = ${messageId} order by position`

interface SentPart {
  telegram_id: number
  part: number
}

export const listSentParts = (sql: Sql, projectId: string, chatId: string, messageId: string) => sql<
  SentPart[]
>`
  select telegram_id::float8 as telegram_id, coalesce(part, 0) as part from telegram_messages
  where project_id = ${projectId} and message_id = ${messageId} and chat_id = ${chatId} and telegram_id > 0 order by telegram_id`

interface ChatPlace {
  chat_id: string
  topic_id: number
}

/** The chat of a ticket's newest message in Telegram, or else its contact's chat. */
export async function findTicketChat(
  sql: Sql,
  projectId: string,
  ticketId: string,
): Promise<ChatPlace | null> {
  const [newest] = await sql<ChatPlace[]>`
    select t.chat_id, t.topic_id::float8 as topic_id from messages m
      join telegram_messages t on t.project_id = ${projectId} and t.message_id = m.id
    where m.project_id = ${projectId} and m.ticket_id = ${ticketId} order by m.created_at desc, m.id desc limit 1`
  if (newest) return newest
  const [own] = await sql<ChatPlace[]>`
    select c.id as chat_id, 0 as topic_id from tickets t
      join telegram_chats c on c.project_id = ${projectId} and c.contact_id = t.contact_id
    where t.project_id = ${projectId} and t.id = ${ticketId}
    order by (c.continues_ticket_id = ${ticketId}) is true desc, c.created_at desc limit 1`
  return own ?? null
}

/** Whether the bot may write in the chat. A chat is removed along with its bot. */
export async function hasOpenChat(sql: Sql, projectId: string, chatId: string): Promise<boolean> {
  const { count } = await sql`
    select from telegram_chats where project_id = ${projectId} and id = ${chatId} and blocked_at is null`
  return count > 0
}

/** Whether the bot may write in the newest chat of the contact. */
export async function hasOpenContactChat(sql: Sql, projectId: string, contactId: string): Promise<boolean> {
  const { count } = await sql`
    select from (
      select blocked_at from telegram_chats where project_id = ${projectId} and contact_id = ${contactId}
      order by created_at desc limit 1
    ) newest where blocked_at is null`
  return count > 0
}

/** Whether the contact's latest message came from Telegram, or the contact opened a link to continue the ticket there. */
export async function isContinuedInTelegram(sql: Sql, projectId: string, ticketId: string): Promise<boolean> {
  const [row] = await sql<{ is_continued: boolean }[]>`
    select coalesce((
        select channel = 'telegram' from messages
        where project_id = ${projectId} and ticket_id = ${ticketId} and sender_type = 'contact'
        order by created_at desc, id desc limit 1), false)
      or exists (select from telegram_chats where project_id = ${projectId} and continues_ticket_id = ${ticketId}) as is_continued`
  return row?.is_continued ?? false
}

export const insertSend = (
  sql: Sql,
  projectId: string,
  messageId: string,
  { chat_id, topic_id }: ChatPlace,
  buttons: string | null,
) => sql`
  insert into telegram_sends as s (project_id, message_id, chat_id, topic_id, next_part, buttons)
  values (${projectId}, ${messageId}, ${chat_id}, ${topic_id}, 0, ${buttons})
  on conflict (project_id, message_id) do update set chat_id = excluded.chat_id, topic_id = excluded.topic_id,
    next_part = case when s.chat_id = excluded.chat_id then s.next_part else 0 end`

/** Returns the chat; null if the message was not sent through Telegram. */
export async function updateSendEdited(
  sql: Sql,
  projectId: string,
  messageId: string,
): Promise<string | null> {
  const [row] = await sql<{ chat_id: string }[]>`
    update telegram_sends set is_edited = true
    where project_id = ${projectId} and message_id = ${messageId} and next_part is not null returning chat_id`
  return row?.chat_id ?? null
}

export async function hasSentPart(sql: Sql, projectId: string, messageId: string): Promise<boolean> {
  const { count } = await sql`
    select from telegram_sends where project_id = ${projectId} and message_id = ${messageId} and next_part > 0`
  return count > 0
}

/** Stores the latest operator's reaction to a message in Telegram. Returns the chat; null if the message is not in Telegram. */
export async function updateSendReaction(
  sql: Sql,
  projectId: string,
  messageId: string,
): Promise<string | null> {
  const [row] = await sql<{ chat_id: string }[]>`
    insert into telegram_sends as s (project_id, message_id, chat_id, reaction)
    select ${projectId}, ${messageId}, t.chat_id, coalesce((
      select emoji from message_reactions
      where project_id = ${projectId} and message_id = ${messageId} and reactor_kind = 'operator'
      order by created_at desc limit 1), '')
    from (select chat_id from telegram_messages where project_id = ${projectId} and message_id = ${messageId} limit 1) t
    on conflict (project_id, message_id) do update set reaction = excluded.reaction returning s.chat_id`
  return row?.chat_id ?? null
}

export const lockSend = (sql: Sql, projectId: string, messageId: string) => sql<
  Pick<SendRow, 'is_edited' | 'reaction' | 'mark'>[]
>`
  select is_edited, reaction, mark from telegram_sends
  where project_id = ${projectId} and message_id = ${messageId} for update`

/** Records that a part is done: it was sent, or its outcome is unknown. */
export const updateSendPart = (
  sql: Sql,
  projectId: string,
  messageId: string,
  { nextPart, mark }: { nextPart: number; mark: SendMark | null },
) => sql`
  update telegram_sends set next_part = ${nextPart}, mark = case when mark = 'outcome_unknown' then mark else coalesce(${mark}, mark) end
  where project_id = ${projectId} and message_id = ${messageId}`

/** Records that the edit or the reaction was sent, unless it has since changed. */
export const updateSendDone = (
  sql: Sql,
  projectId: string,
  messageId: string,
  done: { isEdited?: boolean; reaction?: string },
) => sql`
  update telegram_sends set is_edited = is_edited and not ${done.isEdited ?? false},
    reaction = case when reaction = ${done.reaction ?? null} then null else reaction end
  where project_id = ${projectId} and message_id = ${messageId}`
