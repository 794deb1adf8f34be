import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { changedBy } from '../events/ticket-history.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { findOperator } from '../operators/operators.ts'
import { emitAssignment, findAssignees, recordAssignment } from './assign.ts'
import { changeAndGetTicket, changeLockedTicket, getLocked } from './find.ts'
import type { Transfer } from './inbox-schema.ts'
import { type LockedTicket, updateTicket } from './queries.ts'
import type { Ticket } from './schema.ts'
import { recordAction } from './system-messages.ts'

/** How operators take tickets and transfer them. */

/** Assigns a locked ticket. The caller may record this with another system message. */
async function handOver(
  tx: Tx,
  caller: Caller,
  old: LockedTicket,
  change: { operator_id: string | null; department_id?: string },
  tell: () => Promise<void> | null = () => null,
): Promise<void> {
  const assignees = await findAssignees(tx, change, old)
  await updateTicket(tx, changedBy(caller), old.id, change)
  tx.emit({ type: 'ticket.updated', data: { ticket_id: old.id, cause: 'assigned' } })
  emitAssignment(tx, old, assignees, old.status)
  await (tell() ?? recordAssignment(tx, caller, old, assignees))
}

async function nameOf(tx: Tx, operatorId: string): Promise<string | null> {
  return (await findOperator(tx, tx.projectId, operatorId))?.name ?? null
}

/** If two operators take a ticket at once, one gets it, and the error for the other names the first. */
export async function takeLocked(tx: Tx, caller: Caller, ticket: LockedTicket): Promise<void> {
  const { actor } = caller
  const { operator_id } = ticket
  if (operator_id !== null && operator_id !== actor.id)
    throw new ApiError('TICKET_TAKEN', { operator_id, operator_name: await nameOf(tx, operator_id) })
  if (operator_id === null) await handOver(tx, caller, ticket, { operator_id: actor.id })
}

export const takeTicket = (store: DbOrTx, caller: Caller, reference: string): Promise<Ticket> =>
  changeLockedTicket(store, caller, reference, null, (tx, ticket) => takeLocked(tx, caller, ticket))

/** Takes the ticket from its current operator. */
export async function forceTakeLocked(tx: Tx, caller: Caller, ticket: LockedTicket): Promise<void> {
  const { actor } = caller
  if (ticket.operator_id === null) await handOver(tx, caller, ticket, { operator_id: actor.id })
  else if (ticket.operator_id !== actor.id) await takeAway(tx, caller, ticket, ticket.operator_id)
}

export const forceTakeTicket = (store: DbOrTx, caller: Caller, reference: string): Promise<Ticket> =>
  changeLockedTicket(store, caller, reference, null, (tx, ticket) => forceTakeLocked(tx, caller, ticket))

async function takeAway(tx: Tx, caller: Caller, ticket: LockedTicket, previousId: string): Promise<void> {
  const { id: operator_id } = caller.actor
  tx.emit({
    type: 'ticket.force_taken',
    data: { ticket_id: ticket.id, operator_id, previous_operator_id: previousId },
  })
  const previous_operator_name = await nameOf(tx, previousId)
  await handOver(tx, caller, ticket, { operator_id }, () =>
    recordAction(tx, caller, ticket.id, 'ticket_force_taken', {
      operator_id,
      previous_operator_id: previousId,
      previous_operator_name,
    }),
  )
}

/** Moves the ticket to a department, assigned to one of its operators or unassigned. */
export function transferTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  { department_id, operator_id = null }: Transfer,
): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const ticket = await getLocked(tx, reference)
    const isSame = department_id === ticket.department_id && operator_id === ticket.operator_id
    if (!isSame) await handOver(tx, caller, ticket, { department_id, operator_id })
    return ticket.id
  })
}
