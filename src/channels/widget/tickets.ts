import type { Db, Sql } from '../../core/db/db.ts'
import type { Call, Caller } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { notifyPresence, notifyRead } from '../../events/notifier.ts'
import { type DbOrTx, type Tx, transact } from '../../events/transaction.ts'
import { spendAddressBudget, spendBudget } from '../../limits/rate-limit.ts'
import type { Rating } from '../../tickets/schema.ts'
import { openTicket, rateTicket } from '../../tickets/tickets.ts'
import { findChatStart, insertWidgetTicket } from './chat-start.ts'
import { findWidget } from './choices.ts'
import { contactFor } from './contact.ts'
import type { ChatDeps } from './deps.ts'
import { requireOwnFiles } from './files.ts'
import { readPrechat } from './prechat.ts'
import { lockVisitor } from './queries.ts'
import { externalIdOf, loadVisitorTickets, type OwnedTicket } from './records.ts'
import type { NewVisitorTicket } from './request-schema.ts'
import { partSeenBy, requireUnblocked, seenBy, type Visitor, visitorCaller } from './visitor.ts'
import type { VisitorTicket } from './visitor-ticket-schema.ts'

/** Tickets that a visitor may create per minute. */
const maxTicketsPerMinute = 10

const hidden = () => new ApiError('TICKET_NOT_FOUND')

/** The ticket, if this visitor may see it. For all others it does not exist. */
export async function getTicketSeenBy(
  sql: Sql,
  projectId: string,
  visitor: Visitor,
  id: string,
): Promise<OwnedTicket> {
  if (!isId(id)) throw hidden()
  const [found] = await loadVisitorTickets(
    sql,
    projectId,
    sql`t.id = ${id} and ${seenBy(sql, projectId, visitor)}`,
    partSeenBy(sql, projectId, visitor),
  )
  if (!found) throw hidden()
  return found
}

export const getVisitorTicket = async (sql: Sql, projectId: string, visitor: Visitor, id: string) =>
  (await getTicketSeenBy(sql, projectId, visitor, id)).ticket

export async function listVisitorTickets(sql: Sql, projectId: string, visitor: Visitor) {
  const items = (
    await loadVisitorTickets(
      sql,
      projectId,
      seenBy(sql, projectId, visitor),
      partSeenBy(sql, projectId, visitor),
    )
  ).map(({ ticket }) => ticket)
  return { items, unread_count: items.reduce((sum, { unread_count }) => sum + unread_count, 0) }
}

/** What the same browser has already sent with this id. */
export async function findTicketByClientId(sql: Sql, projectId: string, externalId: string) {
  const [row] = await sql<{ id: string; ticket_id: string }[]>`
    select id, ticket_id from messages where project_id = ${projectId} and external_id = ${externalId}`
  return row ?? null
}

async function openFor(tx: Tx, caller: Pick<Caller, 'project'>, visitor: Visitor, input: NewVisitorTicket) {
  if (visitor.ticket_id !== null) throw new ApiError('NOT_POSSIBLE', { reason: 'one_ticket_only' })
  const { choices } = await findWidget(tx, tx.projectId)
  const prechat = readPrechat(choices.prechat_fields, visitor, input.fields ?? {})
  const contact = await contactFor(tx, visitor, prechat)
  requireUnblocked(contact)
  await requireOwnFiles(tx, visitor, input.media_ids)
  const writer = { ...visitor, name: contact.name }
  const id = await openTicket(
    tx,
    visitorCaller(caller, writer, contact.id),
    { id: contact.id, name: contact.name, isBlocked: false },
    {
      content: input.content ?? '',
      media_ids: input.media_ids ?? [],
      channel: 'widget',
      contact_identity: contact.identity,
      language: visitor.locale,
      custom_fields: prechat.custom_fields,
      message_external_id: externalIdOf(visitor.id, input.client_id ?? newId()),
    },
  )
  const place = { ...visitor, page_url: input.page_url ?? visitor.page_url }
  await insertWidgetTicket(
    tx,
    tx.projectId,
    id,
    place,
    await findChatStart(tx, tx.projectId, choices, visitor, input),
  )
  return id
}

/** Two requests with the same client_id create one ticket: the visitor is locked while one of them checks and writes. */
export async function createVisitorTicket(
  { limiter, config }: ChatDeps,
  { db, project, request }: Call,
  { id }: Visitor,
  input: NewVisitorTicket,
): Promise<{ ticket: VisitorTicket; isNew: boolean }> {
  await spendBudget(limiter, `visitor-tickets:${id}`, maxTicketsPerMinute)
  await spendAddressBudget(limiter, 'visitor-tickets', request.ip, config.visitorsPerIp)
  return transact(db, project.id, async tx => {
    const visitor = await lockVisitor(tx, project.id, id)
    if (!visitor) throw new ApiError('VISITOR_UNKNOWN')
    const sent = input.client_id
      ? await findTicketByClientId(tx, project.id, externalIdOf(id, input.client_id))
      : null
    const ticketId = sent?.ticket_id ?? (await openFor(tx, { project }, visitor, input))
    return { ticket: await getVisitorTicket(tx, project.id, visitor, ticketId), isNew: sent === null }
  })
}

/** Marks the ticket as read until now. The mark never goes back. */
export async function readAsVisitor(db: Db, projectId: string, visitor: Visitor, id: string): Promise<null> {
  await getTicketSeenBy(db, projectId, visitor, id)
  await db`
    insert into contact_reads as r (project_id, ticket_id, read_at) values (${projectId}, ${id}, now())
    on conflict (project_id, ticket_id) do update set read_at = greatest(r.read_at, excluded.read_at)`
  notifyRead(projectId, id)
  notifyPresence(projectId)
  return null
}

export async function rateAsVisitor(
  store: DbOrTx,
  call: Caller,
  visitor: Visitor,
  id: string,
  input: Rating,
) {
  const { project } = call
  const { owner, ticket } = await getTicketSeenBy(store, project.id, visitor, id)
  requireUnblocked(owner)
  if (!ticket.is_rateable) throw new ApiError('NOT_POSSIBLE', { reason: 'not_closed' })
  await rateTicket(store, visitorCaller(call, visitor, owner.contact_id), id, input)
  return getVisitorTicket(store, project.id, visitor, id)
}
