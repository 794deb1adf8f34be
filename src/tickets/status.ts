import { ApiError } from '../core/errors.ts'
import type { Tx } from '../events/transaction.ts'

/**
 * The statuses of a ticket. `new`: nobody has answered; `open`: we have to act; `pending`: the contact has to act; `on_hold`:
 * somebody else has to act, or the ticket is snoozed.
 */

export const ticketStatuses = ['new', 'open', 'pending', 'on_hold', 'closed'] as const
export type Status = (typeof ticketStatuses)[number]

export const priorities = ['low', 'normal', 'high', 'urgent'] as const

const moves: Record<Status, readonly Status[]> = {
  new: ['open', 'pending', 'on_hold', 'closed'],
  open: ['pending', 'on_hold', 'closed'],
  pending: ['open', 'on_hold', 'closed'],
  on_hold: ['open', 'pending', 'closed'],
  closed: ['open'],
}

const reopening = 'POST /api/v1/tickets/{ticket_id}/reopen'

/** A closed ticket can be reopened, but not by changing its status. */
export const invalidMove = (from: Status, to: Status, reason = 'transition_not_allowed'): ApiError => {
  const isFinal = reason === 'merged'
  return new ApiError('TICKET_INVALID_STATUS_TRANSITION', {
    field: 'status',
    reason,
    from,
    to,
    allowed: isFinal ? [] : moves[from].filter(status => status !== to),
    ...(from === 'closed' && !isFinal && { use: reopening }),
  })
}

/** Allows keeping the same status, except `closed`. A closed ticket can only be reopened by its own operation. */
export function requireMove(from: Status, to: Status): void {
  if (from === 'closed' && to === 'closed') throw new ApiError('TICKET_ALREADY_CLOSED')
  if (from === to) return
  if (from === 'closed' || !moves[from].includes(to)) throw invalidMove(from, to)
}

/** Emits a change of status that no request asked for. */
export const emitMove = (tx: Tx, id: string, from: Status, to: Status, cause: string): void =>
  tx.emit({ type: 'ticket.updated', data: { ticket_id: id, status: to, previous_status: from, cause } })
