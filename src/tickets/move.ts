import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { lockActivities } from '../events/activity.ts'
import { changedBy } from '../events/ticket-history.ts'
import type { DbOrTx } from '../events/transaction.ts'
import { getMessage, getTicketId } from '../messages/messages.ts'
import { changeAndGetTicket, requireUnmerged } from './find.ts'
import { mergeTicket } from './merge.ts'
import { lockBoth, updateTicketVersion } from './queries.ts'
import type { Ticket } from './schema.ts'
import { hasOthers, lockParts, moveParts } from './split.ts'
import { recordAction } from './system-messages.ts'

/** Moves a message to another ticket. A ticket that would be empty is merged into the other one instead. */
export function moveMessage(store: DbOrTx, caller: Caller, id: string, reference: string): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const { ticket_id } = await getMessage(tx, tx.projectId, id)
    const targetId = await getTicketId(tx, tx.projectId, reference)
    if (ticket_id === targetId) return targetId
    const [source, target] = await lockBoth(tx, tx.projectId, ticket_id, targetId)
    if (!source || !target) throw new ApiError('TICKET_NOT_FOUND')
    requireUnmerged(target)
    await lockParts(tx, source.id, [id])
    if (!(await hasOthers(tx, source.id, [id]))) {
      await mergeTicket(tx, caller, source.id, { into_ticket_id: target.id, force: true })
      return target.id
    }
    await lockActivities(tx, tx.projectId, [source.id, target.id])
    await moveParts(tx, caller, source.id, target.id, [id])
    await updateTicketVersion(tx, target.id)
    for (const { id: ticketId } of [source, target])
      tx.emit({ type: 'ticket.updated', data: { ticket_id: ticketId, cause: 'message_moved' } })
    const by = changedBy(caller)
    tx.record({ ticketId: source.id, by, changes: { message_moved_to_id: [null, target.id] } })
    tx.record({ ticketId: target.id, by, changes: { message_moved_from_id: [null, source.id] } })
    const to = { ticket_id: target.id, short_id: `${target.number}` }
    await recordAction(tx, caller, source.id, 'message_moved', to)
    const from = { ticket_id: source.id, short_id: `${source.number}` }
    await recordAction(tx, caller, target.id, 'message_moved_here', from)
    return target.id
  })
}
