import type { Sql } from '../../../core/db/db.ts'
import { now, toDatabase } from '../../../core/time.ts'
import type { HeldAccounts } from '../../../outgoing/outgoing.ts'

/** When chats and bots can send. All processes together stay within Telegram's rate limits. */

interface SendingChat {
  bot_id: string
  is_group: boolean
  /** Whether its bot is paused or broken, or its project is suspended. */
  is_held: boolean
  /** Milliseconds until the chat can get its next message; 0 if it can get one now. */
  wait: number
}

/** Locks the chat so that only one message at a time is sent to it. Null if the chat was removed. */
export async function lockSendingChat(
  sql: Sql,
  projectId: string,
  chatId: string,
): Promise<SendingChat | null> {
  const [row] = await sql<SendingChat[]>`
    select c.bot_id, c.chat_id < 0 as is_group, b.state <> 'active' or p.suspended_at is not null as is_held,
      greatest(coalesce(extract(epoch from c.send_after - now()), 0), 0)::float8 * 1000 as wait
    from telegram_chats c join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
      join projects p on p.id = ${projectId}
    where c.project_id = ${projectId} and c.id = ${chatId} for no key update of c`
  return row ?? null
}

/** Chats that must wait, and chats of paused or broken bots. */
export const heldChats: HeldAccounts = sql =>
  sql`select c.project_id, c.id as account_id,
      case when b.state <> 'active' then 'infinity' else c.send_after end as held_until
    from telegram_chats c join telegram_bots b on b.project_id = c.project_id and b.id = c.bot_id
    where c.project_id is not null and (b.state <> 'active' or c.send_after > now())`

/** Telegram allows about 30 messages a second. */
const maxPerSecond = 25

/** Counts a message of the bot. Returns 0 if it can be sent, otherwise the milliseconds to wait. */
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

/** Makes all chats of the bot wait. */
export const updateBotHeld = (sql: Sql, projectId: string, botId: string, waitMs: number) => sql`
  update telegram_bot_rates set send_after = greatest(send_after, now() + ${waitMs}::float8 * interval '1 ms')
  where project_id = ${projectId} and bot_id = ${botId}`

/** Telegram allows 20 messages a minute in a group. */
const maxPerMinute = 20

/** Records that a message was sent. The next one can follow a second later; in a group that has reached its limit, after the minute. */
export const updateChatSent = (sql: Sql, projectId: string, chatId: string, at = toDatabase(now())) => sql`
  update telegram_chats set
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
