import type { Sql } from '../../../core/db/db.ts'
import { now, toDatabase } from '../../../core/time.ts'
import type { HeldAccounts } from '../../../outgoing/outgoing.ts'
import type { ConnectedBot } from '../bots/bot.ts'

/** What is sent, and how far. */

export type SendMark = 'maybe_sent_twice' | 'outcome_unknown'

export interface SentMessage {
  id: string
  ticket_id: string
  content: string
  content_format: 'text' | 'markdown' | 'html'
  content_html: string | null
  is_deleted: boolean
  reply_to_id: string | null
  delivery_status: string
}

export interface SendRow extends SentMessage {
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
  bot_id: string
}

/** Null if the message is not sent by Telegram, or its chat was removed with its bot. */
export async function findSend(sql: Sql, projectId: string, messageId: string): Promise<SendRow | null> {
  const [row] = await sql<SendRow[]>`
    select m.id, m.ticket_id, m.content, m.content_format, m.content_html, m.deleted_at is not null as is_deleted, m.reply_to_id,
      m.delivery_status, s.chat_id, s.topic_id::float8 as topic_id, s.next_part, s.mark, s.is_edited, s.buttons, s.reaction,
      c.chat_id::float8 as telegram_chat_id, c.title, c.bot_id
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

export interface SentPart {
  telegram_id: number
  part: number
}

export const listSentParts = (sql: Sql, projectId: string, chatId: string, messageId: string) => sql<
  SentPart[]
>`
  select telegram_id::float8 as telegram_id, coalesce(part, 0) as part from telegram_messages
  where project_id = ${projectId} and message_id = ${messageId} and chat_id = ${chatId} and telegram_id > 0 order by telegram_id`

export interface ChatPlace {
  chat_id: string
  topic_id: number
}

/** The chat of a ticket's newest message in Telegram, or that of its contact. */
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
    where t.project_id = ${projectId} and t.id = ${ticketId} order by c.created_at desc limit 1`
  return own ?? null
}

/** Whether the contact writes in the ticket by Telegram, or has opened a link to continue it there. */
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
  insert into telegram_sends (project_id, message_id, chat_id, topic_id, next_part, buttons)
  values (${projectId}, ${messageId}, ${chat_id}, ${topic_id}, 0, ${buttons})
  on conflict (project_id, message_id) do update set chat_id = excluded.chat_id`

/** Returns the chat; null if the message was not sent by Telegram. */
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

/** Stores the newest reaction of an operator to a message that is in Telegram. Returns the chat; null if it is not there. */
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

/** Locks the chat as a sender, so that it sends one message at a time. Null if it was removed. */
export async function lockSendingChat(
  sql: Sql,
  projectId: string,
  chatId: string,
): Promise<{ is_held: boolean } | null> {
  const [row] = await sql<{ is_held: boolean }[]>`
    select b.state <> 'active' or p.suspended_at is not null or coalesce(c.send_after > now(), false) as is_held
    from telegram_chats c join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
      join projects p on p.id = ${projectId}
    where c.project_id = ${projectId} and c.id = ${chatId} for no key update of c`
  return row ?? null
}

/** Chats that must wait, and those of bots that are paused or broken. */
export const heldChats: HeldAccounts = sql =>
  sql`select c.project_id, c.id as account_id,
      case when b.state <> 'active' then 'infinity' else c.send_after end as held_until
    from telegram_chats c join telegram_bots b on b.project_id = c.project_id and b.id = c.bot_id
    where c.project_id is not null and (b.state <> 'active' or c.send_after > now())`

/** Telegram allows about 30 messages a second. */
const maxPerSecond = 25

/** Counts a message of the bot. Returns the milliseconds to wait if there were too many; 0 if it may be sent. */
export async function lockBotRate(
  sql: Sql,
  projectId: string,
  botId: string,
  at = toDatabase(now()),
): Promise<number> {
  const { count } = await sql`
    update telegram_bot_rates set
      sent_count = case when sent_since <= ${at}::timestamptz - interval '1 second' then 1 else sent_count + 1 end,
      sent_since = case when sent_since <= ${at}::timestamptz - interval '1 second' then ${at}::timestamptz else sent_since end
    where project_id = ${projectId} and bot_id = ${botId} and (send_after is null or send_after <= now())
      and (sent_since <= ${at}::timestamptz - interval '1 second' or sent_count < ${maxPerSecond})`
  if (count > 0) return 0
  const [row] = await sql<{ wait: number }[]>`
    select greatest(extract(epoch from sent_since + interval '1 second' - ${at}::timestamptz),
      extract(epoch from send_after - ${at}::timestamptz), 0.02)::float8 * 1000 as wait
    from telegram_bot_rates where project_id = ${projectId} and bot_id = ${botId}`
  return row?.wait ?? 1_000
}

/** Telegram allows 20 messages a minute in a group. */
const maxPerMinute = 20

/** Notes that a message was sent: the next one may follow a second later, or in groups after the minute. */
export const updateChatSent = (sql: Sql, projectId: string, chatId: string, at = toDatabase(now())) => sql`
  update telegram_chats set sent_at = now(),
    minute_count = case when chat_id > 0 then 0
      when minute_since > ${at}::timestamptz - interval '1 minute' then minute_count + 1 else 1 end,
    minute_since = case when minute_since > ${at}::timestamptz - interval '1 minute' then minute_since else ${at}::timestamptz end,
    send_after = case when chat_id < 0 and minute_since > ${at}::timestamptz - interval '1 minute'
        and minute_count + 1 >= ${maxPerMinute}::int then minute_since + interval '1 minute'
      else ${at}::timestamptz + interval '1 second' end
  where project_id = ${projectId} and id = ${chatId}`

export const updateChatHeld = (sql: Sql, projectId: string, chatId: string, waitMs: number) => sql`
  update telegram_chats set send_after = now() + ${waitMs}::float8 * interval '1 ms'
  where project_id = ${projectId} and id = ${chatId}`

export const lockSend = (sql: Sql, projectId: string, messageId: string) => sql<
  Pick<SendRow, 'is_edited' | 'reaction' | 'next_part' | 'mark'>[]
>`
  select is_edited, reaction, next_part, mark from telegram_sends
  where project_id = ${projectId} and message_id = ${messageId} for update`

/** Records that a part needs nothing more: it was sent, or nobody can tell. */
export const updateSendPart = (
  sql: Sql,
  projectId: string,
  messageId: string,
  { nextPart, mark }: { nextPart: number; mark: SendMark | null },
) => sql`
  update telegram_sends set next_part = ${nextPart}, mark = case when mark = 'outcome_unknown' then mark else coalesce(${mark}, mark) end
  where project_id = ${projectId} and message_id = ${messageId}`

/** Records that the edit or the reaction was sent, unless it has changed in the meantime. */
export const updateSendDone = (
  sql: Sql,
  projectId: string,
  messageId: string,
  done: { isEdited?: boolean; reaction?: string },
) => sql`
  update telegram_sends set is_edited = is_edited and not ${done.isEdited ?? false},
    reaction = case when reaction = ${done.reaction ?? null} then null else reaction end
  where project_id = ${projectId} and message_id = ${messageId}`

export type SendingBot = Pick<
  ConnectedBot,
  'id' | 'project_id' | 'token' | 'api_root' | 'state' | 'version' | 'username' | 'failures'
>
