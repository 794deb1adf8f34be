import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { now, toDatabase } from '../core/time.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { addMessage, ownDraft, requireContent } from '../messages/messages.ts'
import { findOperator } from '../operators/operators.ts'
import { changeAndGetTicket, changeLockedTicket, getLocked, requireUnmerged } from './find.ts'
import { type LockedTicket, updateTicket } from './queries.ts'
import type { Closing, Rating, Ticket } from './schema.ts'
import { invalidMove } from './status.ts'
import { record } from './system-messages.ts'
import type { Recorded } from './system-texts.ts'

/** Who closed a ticket. */
type Closer = Pick<ChangedBy, 'type' | 'id'>

export const closerOf = ({ type, id }: Closer): Closer => ({ type, id })

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 1_000))

export function closedFields(ticket: LockedTicket, by: Closer) {
  // The process that created the ticket may have had a clock that was ahead. Lists rely on no ticket being closed before it was
  // created.
  const at = [now(), ticket.created_at].sort().at(-1)!
  return {
    status: 'closed' as const,
    closed_at: toDatabase(at),
    closed_by: { ...closerOf(by) },
    resolution_secs: secondsBetween(ticket.created_at, at),
    snoozed_until: null,
  }
}

type ClosedFields = ReturnType<typeof closedFields>

export const emitClosed = (
  tx: Tx,
  { id }: { id: string },
  { closed_at, resolution_secs }: Pick<ClosedFields, 'closed_at' | 'resolution_secs'>,
): void =>
  tx.emit({
    type: 'ticket.closed',
    data: { ticket_id: id, closed_at: closed_at.slice(0, -1), resolution_secs },
  })

/** Closes a locked ticket, with its event and a system message. */
export async function closeLocked(
  tx: Tx,
  ticket: LockedTicket,
  by: ChangedBy,
  why: Pick<Recorded['ticket_closed'], 'reason' | 'short_id'> = {},
): Promise<void> {
  if (ticket.status === 'closed') throw new ApiError('TICKET_ALREADY_CLOSED')
  const fields = closedFields(ticket, by)
  await updateTicket(tx, by, ticket.id, fields)
  emitClosed(tx, ticket, fields)
  await record(tx, ticket.id, 'ticket_closed', { closed_by: closerOf(by), ...why })
}

async function addComment(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  { comment, is_internal = true }: Closing,
) {
  if (comment === undefined || comment === null) return
  requireContent({ content: comment })
  await addMessage(tx, ownDraft(caller, ticketId, { content: comment, is_internal }))
}

/** Adds the comment, if there is one, and closes the ticket. */
export async function closeWithComment(
  tx: Tx,
  caller: Caller,
  ticket: LockedTicket,
  closing: Closing,
): Promise<void> {
  if (ticket.status === 'closed') throw new ApiError('TICKET_ALREADY_CLOSED')
  await addComment(tx, caller, ticket.id, closing)
  await closeLocked(tx, ticket, changedBy(caller))
}

export const closeTicket = (
  store: DbOrTx,
  caller: Caller,
  reference: string,
  closing: Closing,
  version: number | null = null,
): Promise<Ticket> =>
  changeLockedTicket(store, caller, reference, version, (tx, ticket) =>
    closeWithComment(tx, caller, ticket, closing),
  )

/** A merged ticket stays closed, because its conversation continues in the other one. */
function requireReopening(ticket: LockedTicket): void {
  if (ticket.merged_into_id !== null) throw invalidMove(ticket.status, 'open', 'merged')
  if (ticket.status !== 'closed') throw invalidMove(ticket.status, 'open')
}

const openAgain = { status: 'open' as const, closed_at: null, closed_by: null, resolution_secs: null }

/** An operator who has left the project does not get the ticket back. */
async function withoutLeaver(tx: Tx, { operator_id }: LockedTicket) {
  const hasLeft = operator_id !== null && !(await findOperator(tx, tx.projectId, operator_id))
  return hasLeft ? { operator_id: null } : {}
}

export async function reopenLocked(tx: Tx, by: ChangedBy, ticket: LockedTicket): Promise<void> {
  requireReopening(ticket)
  const fields = {
    ...openAgain,
    reopened_count: ticket.reopened_count + 1,
    ...(await withoutLeaver(tx, ticket)),
  }
  await updateTicket(tx, by, ticket.id, fields)
  tx.emit({ type: 'ticket.reopened', data: { ticket_id: ticket.id, status: 'open' } })
  await record(tx, ticket.id, 'ticket_reopened', {})
}

type Reopening = Pick<Closing, 'comment'>

export async function reopenWithComment(
  tx: Tx,
  caller: Caller,
  ticket: LockedTicket,
  { comment }: Reopening,
) {
  await reopenLocked(tx, changedBy(caller), ticket)
  await addComment(tx, caller, ticket.id, { comment })
}

export const reopenTicket = (
  store: DbOrTx,
  caller: Caller,
  reference: string,
  reopening: Reopening,
  version: number | null = null,
): Promise<Ticket> =>
  changeLockedTicket(store, caller, reference, version, (tx, ticket) =>
    reopenWithComment(tx, caller, ticket, reopening),
  )

/** Stores a rating. A second one replaces the first. */
export function rateTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: Rating,
  version: number | null = null,
): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const ticket = await getLocked(tx, reference, version)
    requireUnmerged(ticket)
    const { id } = ticket
    const { rating, comment = null } = input
    const at = toDatabase(now())
    await updateTicket(tx, changedBy(caller), id, { rating, rating_comment: comment, rated_at: at })
    // Spec §6.5: the event contains the comment if the rating came through the API.
    const given = caller.actor.type === 'contact' ? { rating } : { rating, comment }
    tx.emit({ type: 'ticket.rated', data: { ticket_id: id, ...given } })
    await record(tx, id, 'ticket_rated', { rating, comment })
    return id
  })
}
