import type { Caller } from '../core/endpoint.ts'
import { changedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import type { MessageDraft } from '../messages/messages.ts'
import type { FollowUp } from '../messages/schema.ts'
import { findOperator } from '../operators/operators.ts'
import { emitAssignment, findAssignees, recordAssignment } from './assign.ts'
import { closeLocked } from './close.ts'
import { type LockedTicket, updateTicket } from './queries.ts'
import { findInboxSettings } from './settings.ts'
import { emitMove, type Status } from './status.ts'

/** What happens to a ticket after an operator's reply has been sent: its status may change, and it may be assigned. */

const awaitsUs: readonly Status[] = ['new', 'open']

/** The project's setting applies to new and open tickets only. A reply with `close` closes any ticket. */
function nextStatus(status: Status, asked: FollowUp | null, usual: FollowUp): Status {
  if (status === 'closed' || (asked ?? usual) === 'leave') return status
  if (asked === 'close') return 'closed'
  if (!awaitsUs.includes(status)) return status
  return (asked ?? usual) === 'close' ? 'closed' : 'pending'
}

/** Assigns an unassigned ticket to the writer of the reply, unless they left the project before it was sent. */
async function assign(tx: Tx, ticket: LockedTicket, reply: MessageDraft, status: Status): Promise<void> {
  const operator_id = reply.sender_id!
  if (!(await findOperator(tx, tx.projectId, operator_id))) return
  const assignees = await findAssignees(tx, { operator_id }, ticket)
  await updateTicket(tx, changedBy(senderOf(tx, reply)), ticket.id, { operator_id })
  if (status === ticket.status)
    tx.emit({ type: 'ticket.updated', data: { ticket_id: ticket.id, cause: 'operator_reply' } })
  emitAssignment(tx, ticket, assignees, status)
  await recordAssignment(tx, senderOf(tx, reply), ticket, assignees)
}

export async function followUp(tx: Tx, ticket: LockedTicket, reply: MessageDraft): Promise<void> {
  if (reply.sender_type !== 'operator' || reply.is_internal) return
  const settings = await findInboxSettings(tx, tx.projectId)
  const by = changedBy(senderOf(tx, reply))
  const status = nextStatus(ticket.status, reply.after_reply, settings.after_reply)
  if (status !== ticket.status) emitMove(tx, ticket.id, ticket.status, status, 'operator_reply')
  if (status === 'pending' && ticket.status !== status) await updateTicket(tx, by, ticket.id, { status })
  if (settings.assigns_on_reply && ticket.operator_id === null) await assign(tx, ticket, reply, status)
  if (status === 'closed' && ticket.status !== 'closed') await closeLocked(tx, ticket, by)
}

/** The writer as a caller, because a delayed reply is not sent by a request of its writer. */
const senderOf = (
  { projectId }: Tx,
  { sender_id, sender_name, sender_avatar_url }: MessageDraft,
): Caller => ({
  project: { id: projectId, name: '' },
  actor: {
    type: 'operator',
    id: sender_id!,
    name: sender_name ?? '',
    avatar_url: sender_avatar_url,
    role: 'operator',
  },
})
