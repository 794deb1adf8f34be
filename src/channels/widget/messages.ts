import type { Sql } from '../../core/db/db.ts'
import type { Call, Caller } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../../events/transaction.ts'
import { addReaction, removeReaction } from '../../messages/messages.ts'
import { getSurvivor, hearContact } from '../../tickets/tickets.ts'
import { insertWidgetTicket } from './chat-start.ts'
import { requireOwnFiles } from './files.ts'
import { lockVisitor } from './queries.ts'
import { externalIdOf, listMessagesBefore, loadVisitorMessages, type OwnedTicket } from './records.ts'
import type { MessagesQuery, NewVisitorMessage } from './request-schema.ts'
import type { VisitorMessage } from './schema.ts'
import { findTicketByClientId, getTicketSeenBy } from './tickets.ts'
import { messageIdentityOf, partSeenBy, requireUnblocked, type Visitor, visitorCaller } from './visitor.ts'

/** A message of this ticket that the visitor may see. */
async function getShown(
  sql: Sql,
  projectId: string,
  visitor: Visitor,
  ticketId: string,
  id: string,
): Promise<VisitorMessage> {
  const [found] = isId(id)
    ? await loadVisitorMessages(sql, projectId, [id], partSeenBy(sql, projectId, visitor))
    : []
  if (found?.ticket_id !== ticketId) throw new ApiError('MESSAGE_NOT_FOUND')
  return found
}

export async function listVisitorMessages(
  sql: Sql,
  projectId: string,
  visitor: Visitor,
  id: string,
  { before, limit = 50 }: MessagesQuery,
) {
  await getTicketSeenBy(sql, projectId, visitor, id)
  const from = before === undefined ? null : await getShown(sql, projectId, visitor, id, before)
  const found = await listMessagesBefore(
    sql,
    projectId,
    id,
    from,
    partSeenBy(sql, projectId, visitor),
    limit + 1,
  )
  return { items: found.slice(0, limit).reverse(), has_more: found.length > limit }
}

/** Locks the ticket before checking it, because a concurrent merge may lead to a ticket that this visitor may not see. */
async function lockSeen(tx: Tx, visitor: Visitor, id: string): Promise<OwnedTicket> {
  if (!isId(id)) throw new ApiError('TICKET_NOT_FOUND')
  const survivor = await getSurvivor(tx, id)
  return getTicketSeenBy(tx, tx.projectId, visitor, survivor.id)
}

async function write(
  tx: Tx,
  call: Pick<Caller, 'project'>,
  visitor: Visitor,
  ticketId: string,
  input: NewVisitorMessage,
) {
  const { owner } = await lockSeen(tx, visitor, ticketId)
  const { id } = owner
  requireUnblocked(owner)
  if (input.reply_to_id) await getShown(tx, tx.projectId, visitor, id, input.reply_to_id)
  await requireOwnFiles(tx, visitor, input.media_ids)
  const posted = await hearContact(tx, visitorCaller(call, visitor, owner.contact_id), id, {
    content: input.content ?? '',
    media_ids: input.media_ids ?? [],
    reply_to_id: input.reply_to_id ?? null,
    external_id: externalIdOf(visitor.id, input.client_id ?? newId()),
    fields: { channel: 'widget', contact_identity: messageIdentityOf(visitor, owner) },
  })
  // If it is not the locked ticket, it is a new follow-up ticket.
  if (posted.ticket_id !== id) await insertWidgetTicket(tx, tx.projectId, posted.ticket_id, visitor)
  return posted.message_id
}

/** Two requests with the same client_id create one message: the visitor is locked while one of them checks and writes. */
export function replyAsVisitor(
  { db, project }: Call,
  { id: visitorId }: Visitor,
  ticketId: string,
  input: NewVisitorMessage,
): Promise<{ message: VisitorMessage; isNew: boolean }> {
  return transact(db, project.id, async tx => {
    const visitor = await lockVisitor(tx, project.id, visitorId)
    if (!visitor) throw new ApiError('VISITOR_UNKNOWN')
    const sent = input.client_id
      ? await findTicketByClientId(tx, project.id, externalIdOf(visitorId, input.client_id))
      : null
    const messageId = sent?.id ?? (await write(tx, { project }, visitor, ticketId, input))
    const [message] = await loadVisitorMessages(tx, project.id, [messageId])
    return { message: message!, isNew: sent === null }
  })
}

type Params = Record<string, string>

const changeReaction =
  (change: typeof addReaction) =>
  async (store: DbOrTx, call: Caller, visitor: Visitor, { ticket_id, message_id, emoji }: Params) => {
    const { project } = call
    const { owner } = await getTicketSeenBy(store, project.id, visitor, ticket_id!)
    requireUnblocked(owner)
    await getShown(store, project.id, visitor, ticket_id!, message_id!)
    await change(store, visitorCaller(call, visitor, owner.contact_id), message_id!, emoji!)
    return getShown(store, project.id, visitor, ticket_id!, message_id!)
  }

export const react = changeReaction(addReaction)
export const unreact = changeReaction(removeReaction)
