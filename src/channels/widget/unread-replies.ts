import type { Db, Sql } from '../../core/db/db.ts'
import type { WaitingWork } from '../../core/due/due-work.ts'
import { runDueActions } from '../../events/due-actions.ts'
import type { Tx } from '../../events/transaction.ts'
import { getTicketId, type WrittenMessage } from '../../messages/messages.ts'
import { findNoticeTicket } from './notice-ticket.ts'
import { isWatched } from './tabs.ts'
import {
  deleteUnreadReplies,
  type EmailRoute,
  findEmailRoute,
  insertUnreadReply,
  listTicketsDue,
  lockWaitingReplies,
  updateSentWith,
  updateUnreadDue,
} from './unread-queries.ts'
import type { UnreadEmail } from './unread-schema.ts'

/** Sends operators' replies by email if the contact does not read them in the chat. */

export const waitingUnread: WaitingWork = sql =>
  sql`select project_id, due_at from unread_replies where project_id is not null and sent_with is null`

/** Sends the replies of a ticket as one email. Returns false if it has no recipient. The email channel implements this. */
export type SendByEmail = (
  tx: Tx,
  replies: { ticketId: string; ids: string[]; route: EmailRoute },
) => Promise<boolean>

/** Whether the reply was written as an email and sent to the contact's address. */
const hasEmail = ({ email }: WrittenMessage, address: string): boolean =>
  email !== null && [...email.to, ...email.cc].some(one => one.toLowerCase() === address.toLowerCase())

/** Returns false if the reply cannot be sent to the contact by email. */
export async function noteUnread(
  tx: Tx,
  reply: WrittenMessage,
  { is_typed }: { is_typed: boolean },
): Promise<boolean> {
  // A visitor who only typed the address may be someone else.
  const route = is_typed ? null : await findEmailRoute(tx, tx.projectId, reply.ticket_id)
  if (!route) return false
  if (hasEmail(reply, route.address)) return true
  const minutes = route.is_by_email ? 0 : route.after_minutes
  tx.noteDue('unread_replies', await insertUnreadReply(tx, tx.projectId, reply.id, minutes))
  return true
}

/** Whether the next reply in a ticket is sent by email. */
export async function findUnreadEmail(sql: Sql, projectId: string, reference: string): Promise<UnreadEmail> {
  const ticketId = await getTicketId(sql, projectId, reference)
  const ticket = await findNoticeTicket(sql, projectId, ticketId)
  const route = ticket && !ticket.is_typed ? await findEmailRoute(sql, projectId, ticketId) : null
  if (!route) return { address: null, after_minutes: 0 }
  return { address: route.address, after_minutes: route.is_by_email ? 0 : route.after_minutes }
}

async function sendUnread(tx: Tx, ticketId: string, send: SendByEmail): Promise<void> {
  const { projectId } = tx
  const replies = await lockWaitingReplies(tx, projectId, ticketId)
  const idsOf = (is: boolean) => replies.filter(({ is_unread }) => is_unread === is).map(({ id }) => id)
  const [unread, others] = [idsOf(true), idsOf(false)]
  const last = unread.at(-1)
  const ticket = await findNoticeTicket(tx, projectId, ticketId)
  const route = ticket && !ticket.is_typed ? await findEmailRoute(tx, projectId, ticketId) : null
  if (!last || !ticket || !route)
    return void (await deleteUnreadReplies(tx, projectId, [...unread, ...others]))
  await deleteUnreadReplies(tx, projectId, others)
  if (await isWatched(tx, projectId, ticket))
    return tx.noteDue('unread_replies', await updateUnreadDue(tx, projectId, unread, route.after_minutes))
  await deleteUnreadReplies(tx, projectId, [last])
  await updateSentWith(tx, projectId, unread, last)
  if (!(await send(tx, { ticketId, ids: unread, route }))) await deleteUnreadReplies(tx, projectId, unread)
}

/** Handles the due replies of a project. Returns the number of their tickets. */
export async function sendUnreadReplies(
  db: Db,
  projectId: string,
  send: SendByEmail,
  limit = 100,
): Promise<number> {
  const due = await listTicketsDue(db, projectId, limit)
  return runDueActions(db, due, async (tx, ticketId) => {
    await sendUnread(tx, ticketId, send)
    return true
  })
}
