import type { Sql } from '../../../core/db/db.ts'

/** Maps messages in Telegram to messages in Deskbell. */

export interface NewTelegramMessage {
  chat_id: string
  telegram_id: number
  message_id: string
  topic_id: number
  media_group_id: string | null
  caption: string
  /** Lines about files that could not be downloaded. */
  missing?: string
  part: number | null
}

export const insertTelegramMessage = (sql: Sql, projectId: string, message: NewTelegramMessage) => sql`
  insert into telegram_messages (project_id, chat_id, telegram_id, message_id, topic_id, media_group_id, caption, missing, part)
  values (${projectId}, ${message.chat_id}, ${message.telegram_id}, ${message.message_id}, ${message.topic_id},
    ${message.media_group_id}, ${message.caption}, ${message.missing ?? ''}, ${message.part})
  on conflict (project_id, chat_id, telegram_id) do update set message_id = excluded.message_id, part = excluded.part`

export interface FoundMessage {
  message_id: string
  ticket_id: string
  media_group_id: string | null
  /** Null for received messages. */
  part: number | null
}

export async function findTelegramMessage(
  sql: Sql,
  projectId: string,
  chatId: string,
  telegramId: number,
): Promise<FoundMessage | null> {
  const [row] = await sql<FoundMessage[]>`
    select t.message_id, m.ticket_id, t.media_group_id, t.part from telegram_messages t
      join messages m on m.project_id = ${projectId} and m.id = t.message_id
    where t.project_id = ${projectId} and t.chat_id = ${chatId} and t.telegram_id = ${telegramId}`
  return row ?? null
}

/** The message that an album became. */
export async function findAlbumMessage(
  sql: Sql,
  projectId: string,
  chatId: string,
  mediaGroupId: string,
): Promise<string | null> {
  const [row] = await sql<{ message_id: string }[]>`
    select message_id from telegram_messages
    where project_id = ${projectId} and chat_id = ${chatId} and media_group_id = ${mediaGroupId} limit 1`
  return row?.message_id ?? null
}

/** The ticket of the newest message in a chat, or in one of its topics. */
export async function findRunningTicket(
  sql: Sql,
  projectId: string,
  chatId: string,
  topicId: number,
): Promise<string | null> {
  const [row] = await sql<{ ticket_id: string }[]>`
    select m.ticket_id from telegram_messages t join messages m on m.project_id = ${projectId} and m.id = t.message_id
    where t.project_id = ${projectId} and t.chat_id = ${chatId} and t.topic_id = ${topicId}
    order by t.message_id desc limit 1`
  return row?.ticket_id ?? null
}

export interface ReceivedPart {
  caption: string
  missing: string
}

/** Replaces the text of one part, and returns all parts in order. */
export async function updateCaption(
  sql: Sql,
  projectId: string,
  chatId: string,
  telegramId: number,
  caption: string,
): Promise<ReceivedPart[]> {
  await sql`
    update telegram_messages set caption = ${caption}
    where project_id = ${projectId} and chat_id = ${chatId} and telegram_id = ${telegramId}`
  return sql<ReceivedPart[]>`
    select caption, missing from telegram_messages where project_id = ${projectId} and message_id = (
      select message_id from telegram_messages
      where project_id = ${projectId} and chat_id = ${chatId} and telegram_id = ${telegramId})
    order by telegram_id`
}

/** The time of the last message that was received in the chat before this one. */
export async function findTimeBefore(
  sql: Sql,
  projectId: string,
  chatId: string,
  telegramId: number,
): Promise<string | null> {
  const [row] = await sql<{ created_at: string }[]>`
    select m.created_at from telegram_messages t join messages m on m.project_id = ${projectId} and m.id = t.message_id
    where t.project_id = ${projectId} and t.chat_id = ${chatId} and t.telegram_id < ${telegramId} and t.part is null
    order by t.telegram_id desc limit 1`
  return row?.created_at ?? null
}

export const updateChatContact = (sql: Sql, projectId: string, id: string, contactId: string) => sql`
  update telegram_chats set contact_id = ${contactId}, starts_ticket = false, continues_ticket_id = null
  where project_id = ${projectId} and id = ${id}`

export const updateChatStarting = (sql: Sql, projectId: string, id: string) => sql`
  update telegram_chats set starts_ticket = true, continues_ticket_id = null where project_id = ${projectId} and id = ${id}`

export const updateChatContinuing = (
  sql: Sql,
  projectId: string,
  id: string,
  { contactId, ticketId }: { contactId: string | null; ticketId: string | null },
) => sql`
  update telegram_chats set contact_id = coalesce(${contactId}::uuid, contact_id), continues_ticket_id = ${ticketId}, starts_ticket = false
  where project_id = ${projectId} and id = ${id}`

export const updateChatRefused = (sql: Sql, projectId: string, id: string) => sql`
  update telegram_chats set is_refused = true where project_id = ${projectId} and id = ${id}`

export const updateChatBlocked = (sql: Sql, projectId: string, id: string, isBlocked: boolean) => sql`
  update telegram_chats set blocked_at = ${isBlocked ? sql`least(blocked_at, now())` : null}
  where project_id = ${projectId} and id = ${id}`
