import type { Db, Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId } from '../core/ids.ts'
import { now, parseTime, toDatabase } from '../core/time.ts'
import type { DueAction } from '../events/due-actions.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { updateMediaDetached } from '../media/media.ts'
import { requireAuthor } from './edit.ts'
import { changeAndGetMessage } from './find.ts'
import { callOutlets, firstStatus } from './outlets.ts'
import { lockMessage, type MessageDraft, type MessageRow } from './queries.ts'
import { listMentioned, markRead, noteMentions } from './read.ts'
import type { FollowUp, Message, TakenBack } from './schema.ts'
import { messageCreated, moveActivity } from './write.ts'

export const waitingScheduled: WaitingWork = sql =>
  sql`select project_id, send_at as due_at from messages where delivery_status = 'scheduled'`

/** Waiting messages. Each is either sent once or withdrawn; the lock of its row decides. */

export const findDueMessages = (db: Db, projectId: string, limit: number) => db<
  (DueAction & { ticket_id: string })[]
>`
  select project_id, id, ticket_id from messages
  where project_id = ${projectId} and delivery_status = 'scheduled' and send_at <= now() order by send_at limit ${limit}`

async function lockDue(tx: Tx, ticketId: string, id: string): Promise<MessageRow | null> {
  const { count } = await tx`
    select from messages where project_id = ${tx.projectId} and id = ${id} and ticket_id = ${ticketId}
      and delivery_status = 'scheduled' and send_at <= clock_timestamp() for no key update`
  return count ? lockMessage(tx, tx.projectId, id) : null
}

/**
 * Sends a message that is due. Only now does it exist for its ticket and for readers of the log. Null if it was sent, withdrawn,
 * postponed or moved to another ticket in the meantime.
 */
export async function sendScheduledNow(tx: Tx, ticketId: string, id: string): Promise<MessageDraft | null> {
  const row = await lockDue(tx, ticketId, id)
  if (!row) return null
  const sql: Sql = tx
  const sent = { ...row, created_at: now() }
  const at = toDatabase(sent.created_at)
  const status = firstStatus(sql, row, sql`channel`)
  const read = markRead(sql, tx.projectId, sent, sql`select from sent`)
  const [found] = await sql<{ after_reply: FollowUp | null }[]>`
    with sent as (
      update messages set (delivery_status, delivery_attempts) = (${status}), created_at = ${at}, delivery_updated_at = ${at},
        version = version + 1, updated_at = coalesce(updated_at, created_at)
      where project_id = ${tx.projectId} and id = ${id} returning ticket_id, after_reply
    ), activity as (
      update ticket_activity a set ${moveActivity(sql, sent)} from sent
      where a.project_id = ${tx.projectId} and a.ticket_id = sent.ticket_id
    )${row.sender_type === 'operator' ? sql`, read as (${read})` : sql``} select after_reply from sent`
  const draft: MessageDraft = { ...sent, mentions: [], after_reply: found!.after_reply }
  tx.touch('message', id)
  tx.touch('ticket', ticketId)
  await callOutlets(tx, { ...draft, channel: row.channel })
  await noteMentions(tx, { ...draft, mentions: await listMentioned(tx, id) })
  tx.emit(messageCreated(draft))
  return draft
}

/** For integrations, 409 has only one meaning, so they get a different error: specification §7.1. */
const sentAlready = ({ actor }: Caller): ApiError =>
  actor.type === 'api' ? refuse('message_id', 'already_sent') : new ApiError('MESSAGE_SENT')

async function getWaiting(tx: Tx, caller: Caller, id: string): Promise<MessageRow> {
  const row = isId(id) ? await lockMessage(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('MESSAGE_NOT_FOUND')
  requireAuthor(caller, row)
  if (row.delivery_status !== 'scheduled') throw sentAlready(caller)
  return row
}

/** Changes the time of a waiting message. */
export function rescheduleMessage(
  store: DbOrTx,
  caller: Caller,
  id: string,
  sendAt: string | null,
): Promise<Message> {
  const time = sendAt === null ? now() : parseTime(sendAt)!
  return changeAndGetMessage(store, caller.project.id, async tx => {
    await getWaiting(tx, caller, id)
    if (sendAt !== null && time <= now()) throw refuse('send_at', 'in_the_past')
    await tx`
      update messages set send_at = ${toDatabase(time)}, version = version + 1
      where project_id = ${tx.projectId} and id = ${id}`
    tx.touch('message', id)
    tx.noteDue('messages', toDatabase(time))
    return id
  })
}

/** Withdraws an unsent message and returns it, so that nothing that was written is lost. */
export function cancelScheduled(store: DbOrTx, caller: Caller, id: string): Promise<TakenBack> {
  return transact(store, caller.project.id, async tx => {
    const row = await getWaiting(tx, caller, id)
    const { content, content_format, is_internal, reply_to_id, media, send_at, email } = row
    const mentions = await listMentioned(tx, id)
    await updateMediaDetached(tx, tx.projectId, id)
    const replies = await tx<{ id: string }[]>`update messages set reply_to_id = null, version = version + 1
      where project_id = ${tx.projectId} and reply_to_id = ${id} returning id`
    tx.touch('message', ...replies.map(reply => reply.id))
    await tx`delete from messages where project_id = ${tx.projectId} and id = ${id}`
    return {
      content,
      content_format,
      is_internal,
      reply_to_id,
      media,
      mentions,
      send_at,
      email: email && pick(email, ['to', 'cc', 'bcc', 'subject', 'mailbox_id']),
    }
  })
}
