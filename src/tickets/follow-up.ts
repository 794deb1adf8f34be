import type { Caller } from '../core/endpoint.ts'
import type { Tx } from '../events/transaction.ts'
import type { Draft } from '../messages/messages.ts'
import type { FollowUp } from '../messages/schema.ts'
import { findOperator } from '../operators/operators.ts'
import { emitAssignment, findAssignees, recordAssignment } from './assign.ts'
import { closeLocked } from './close.ts'
import { type LockedTicket, updateTicket } from './queries.ts'
import { findInboxSettings } from './settings.ts'
import { emitMove, type Status } from './status.ts'

/** What becomes of a ticket when a person's reply has been sent: it moves on, and has somebody who answers it. */

const awaitsUs: readonly Status[] = ['new', 'open']

/** The project's choice is for tickets that wait for us; whoever says so with the reply closes any. */
function nextStatus(status: Status, asked: FollowUp | null, usual: FollowUp): Status {
  if (status === 'closed' || (asked ?? usual) === 'leave') return status
  if (asked === 'close') return 'closed'
  if (!awaitsUs.includes(status)) return status
  return (asked ?? usual) === 'close' ? 'closed' : 'pending'
}

/** Whoever answers a ticket that nobody has gets it, unless they have left before their reply was sent. */
async function assign(tx: Tx, ticket: LockedTicket, reply: Draft, status: Status): Promise<void> {
  const operator_id = reply.sender_id!
  if (!(await findOperator(tx, tx.projectId, operator_id))) return
  const assignees = await findAssignees(tx, { operator_id }, ticket)
  await updateTicket(tx, ticket.id, { operator_id })
  if (status === ticket.status)
    tx.emit({ type: 'ticket.updated', data: { ticket_id: ticket.id, cause: 'operator_reply' } })
  emitAssignment(tx, ticket, assignees, status)
  await recordAssignment(tx, senderOf(tx, reply), ticket, assignees)
}

export async function followUp(tx: Tx, ticket: LockedTicket, reply: Draft): Promise<void> {
  if (reply.sender_type !== 'operator' || reply.is_internal) return
  const settings = await findInboxSettings(tx, tx.projectId)
  const status = nextStatus(ticket.status, reply.after_reply, settings.after_reply)
  if (status !== ticket.status) emitMove(tx, ticket.id, ticket.status, status, 'operator_reply')
  if (status === 'pending' && ticket.status !== status) await updateTicket(tx, ticket.id, { status })
  if (settings.assigns_on_reply && ticket.operator_id === null) await assign(tx, ticket, reply, status)
  if (status === 'closed' && ticket.status !== 'closed')
    await closeLocked(tx, ticket, { type: 'operator', id: reply.sender_id })
}

/** A reply that waited is sent when its writer may be away. */
const senderOf = ({ projectId }: Tx, { sender_id, sender_name, sender_avatar_url }: Draft): Caller => ({
  project: { id: projectId, name: '' },
  actor: {
    type: 'operator',
    id: sender_id!,
    name: sender_name ?? '',
    avatar_url: sender_avatar_url,
    role: 'operator',
  },
})
