import type { Update } from '@grammyjs/types'
import type { Db, Sql } from '../../../core/db/db.ts'
import type { NextDue, WaitingWork } from '../../../core/due/due-work.ts'
import { timeAfter, toDatabase } from '../../../core/time.ts'

/** Chats with stored updates. A process leases a chat so that its updates are handled in order. */

export interface ClaimedChat {
  project_id: string
  bot_id: string
  id: string
  lease_id: string
}

export const waitingUpdates: WaitingWork = sql =>
  sql`select c.project_id, c.bot_id as subject_id, greatest(c.due_at, c.lease_until) as due_at from telegram_chats c
    where c.project_id is not null and c.due_at is not null`

export const nextUpdateDue: NextDue = sql =>
  sql`(select min(w.due_at) from (${waitingUpdates(sql)}) w where w.project_id = h.project_id and w.subject_id = h.subject_id)`

/** Claims the chats of a bot that have been due the longest. The subquery is in an array so that it runs only once. */
export const lockDueChats = (
  sql: Sql,
  { project_id, id }: { project_id: string; id: string },
  { leaseId, leaseMs, limit }: { leaseId: string; leaseMs: number; limit: number },
) => sql<ClaimedChat[]>`
  update telegram_chats set lease_id = ${leaseId}, lease_until = now() + ${leaseMs}::int * interval '1 ms'
  where project_id = ${project_id} and id = any(array(
    select id from telegram_chats where project_id = ${project_id} and bot_id = ${id} and due_at <= now()
      and (lease_until is null or lease_until <= now())
    order by due_at, id limit ${limit} for update skip locked))
  returning project_id, bot_id, id, lease_id`

export const updateChatLease = (sql: Sql, { project_id, id, lease_id }: ClaimedChat, leaseMs: number) => sql`
  update telegram_chats set lease_until = now() + ${leaseMs}::int * interval '1 ms'
  where project_id = ${project_id} and id = ${id} and lease_id = ${lease_id}`

export interface StoredUpdate {
  update_id: number
  content: Update
  attempts: number
  /** Milliseconds since the update was stored. */
  age: number
  /** Milliseconds since 1970. */
  stored_at: number
}

/** The oldest stored updates of a chat, in order. */
export const listStoredUpdates = (sql: Sql, { project_id, id }: ClaimedChat, limit: number) => sql<
  StoredUpdate[]
>`
  select update_id::float8 as update_id, content, attempts, (extract(epoch from now() - created_at) * 1000)::float8 as age,
    (extract(epoch from created_at) * 1000)::float8 as stored_at
  from telegram_updates where project_id = ${project_id} and chat_id = ${id} and state = 'stored'
  order by update_id limit ${limit}`

/**
 * Releases the chat. If it still has stored updates, it is due again after `waitMs`, or immediately if that is null. The row is locked
 * first so that the second statement sees updates committed by earlier holders of the lock.
 */
export async function updateChatReleased(db: Db, chat: ClaimedChat, waitMs: number | null): Promise<boolean> {
  const { project_id, id, lease_id } = chat
  return db.begin(async sql => {
    const { count } = await sql`
      select from telegram_chats where project_id = ${project_id} and id = ${id} and lease_id = ${lease_id} for no key update`
    if (count === 0) return false
    const [row] = await sql<{ has_more: boolean }[]>`
      update telegram_chats set lease_id = null, lease_until = null, due_at = case
        when exists (select from telegram_updates where project_id = ${project_id} and chat_id = ${id} and state = 'stored')
          then ${toDatabase(timeAfter(waitMs ?? 0))}::timestamptz end
      where project_id = ${project_id} and id = ${id} returning due_at is not null as has_more`
    return row?.has_more === true && !waitMs
  })
}

/** Returns false if another process has handled one of them. */
export async function updateUpdatesDone(
  sql: Sql,
  { project_id, bot_id }: Pick<ClaimedChat, 'project_id' | 'bot_id'>,
  ids: number[],
  outcome: string,
): Promise<boolean> {
  const { count } = await sql`
    update telegram_updates set state = 'done', outcome = ${outcome}, last_error = null
    where project_id = ${project_id} and bot_id = ${bot_id} and update_id = any(${ids}::bigint[]) and state = 'stored'`
  return count === ids.length
}

/** Records a failed attempt. After the last one, the updates are marked as failed. */
export const updateUpdatesFailed = (
  sql: Sql,
  { project_id, bot_id }: ClaimedChat,
  ids: number[],
  { error, isFinal }: { error: string; isFinal: boolean },
) => sql`
  update telegram_updates set attempts = attempts + 1, last_error = ${error},
    state = case when ${isFinal} then 'failed' else state end, outcome = case when ${isFinal} then 'error' end
  where project_id = ${project_id} and bot_id = ${bot_id} and update_id = any(${ids}::bigint[]) and state = 'stored'`

export interface TelegramChatRow {
  id: string
  bot_id: string
  chat_id: number
  title: string
  /** The chat's contact, or the contact it was merged into. */
  contact_id: string | null
  blocked_at: string | null
  starts_ticket: boolean
  continues_ticket_id: string | null
  is_refused: boolean
}

/** Locks a chat that this process has leased; null if the lease was lost. */
export async function lockClaimedChat(
  sql: Sql,
  { project_id, id, lease_id }: ClaimedChat,
): Promise<TelegramChatRow | null> {
  const [row] = await sql<TelegramChatRow[]>`
    select id, bot_id, chat_id::float8 as chat_id, title, blocked_at, starts_ticket, continues_ticket_id, is_refused,
      coalesce((select k.merged_into_id from contacts k where k.project_id = ${project_id} and k.id = c.contact_id), contact_id) as contact_id
    from telegram_chats c where project_id = ${project_id} and id = ${id} and lease_id = ${lease_id} for no key update`
  return row ?? null
}

/** Deletes updates that are no longer needed: Telegram repeats an update for at most 24 hours. Failed updates are kept for a year. */
export async function deleteOldUpdates(db: Db, limit = 1_000): Promise<number> {
  const { count } = await db`
    delete from telegram_updates where (project_id, bot_id, update_id) = any(array(
      select (project_id, bot_id, update_id) from telegram_updates
      where project_id is not null
        and (state = 'done' and created_at < now() - interval '3 days' or state = 'failed' and created_at < now() - interval '365 days')
      order by created_at limit ${limit}))`
  return count
}
