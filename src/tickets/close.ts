import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { now, toDatabase } from '../core/time.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { addMessage, ownDraft, requireContent } from '../messages/messages.ts'
import { findOperator } from '../operators/operators.ts'
import { changeAndGetTicket, getLocked, requireUnmerged } from './find.ts'
import { type LockedTicket, updateTicket } from './queries.ts'
import type { Closing, Rating, Ticket } from './schema.ts'
import { invalidMove } from './status.ts'
import { record } from './system-messages.ts'
import type { Recorded } from './system-texts.ts'

/** Who closed a ticket. */
export interface Closer {
  type: 'operator' | 'api' | 'contact' | 'system'
  id: string | null
}

export const byCaller = ({ actor }: Caller): Closer => ({ type: actor.type, id: actor.id })

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 1_000))

export function closedFields(ticket: LockedTicket, by: Closer) {
  // The process that created the ticket may have had a clock that was ahead. Lists rely on no ticket being closed before it was
  // created.
  const at = [now(), ticket.created_at].sort().at(-1)!
  return {
    status: 'closed' as const,
    closed_at: toDatabase(at),
    closed_by: { ...by },
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
  by: Closer,
  why: Pick<Recorded['ticket_closed'], 'reason' | 'short_id'> = {},
): Promise<void> {
  if (ticket.status === 'closed') throw new ApiError('TICKET_ALREADY_CLOSED')
  const fields = closedFields(ticket, by)
  await updateTicket(tx, ticket.id, fields)
  emitClosed(tx, ticket, fields)
  await record(tx, ticket.id, 'ticket_closed', { closed_by: { ...by }, ...why })
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

export function closeTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  closing: Closing,
  version: number | null = null,
): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const ticket = await getLocked(tx, reference, version)
    if (ticket.status === 'closed') throw new ApiError('TICKET_ALREADY_CLOSED')
    await addComment(tx, caller, ticket.id, closing)
    await closeLocked(tx, ticket, byCaller(caller))
    return ticket.id
  })
}

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

export async function reopenLocked(tx: Tx, ticket: LockedTicket): Promise<void> {
  requireReopening(ticket)
  const fields = {
    ...openAgain,
    reopened_count: ticket.reopened_count + 1,
    ...(await withoutLeaver(tx, ticket)),
  }
  await updateTicket(tx, ticket.id, fields)
  tx.emit({ type: 'ticket.reopened', data: { ticket_id: ticket.id, status: 'open' } })
  await record(tx, ticket.id, 'ticket_reopened', {})
}

export function reopenTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  { comment }: { comment?: string | null },
  version: number | null = null,
): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const ticket = await getLocked(tx, reference, version)
    await reopenLocked(tx, ticket)
    await addComment(tx, caller, ticket.id, { comment })
    return ticket.id
  })
}

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
    await updateTicket(tx, id, { rating, rating_comment: comment, rated_at: at })
    // Spec §6.5: the event contains the comment if the rating came through the API.
    const given = caller.actor.type === 'contact' ? { rating } : { rating, comment }
    tx.emit({ type: 'ticket.rated', data: { ticket_id: id, ...given } })
    await record(tx, id, 'ticket_rated', { rating, comment })
    return id
  })
}
