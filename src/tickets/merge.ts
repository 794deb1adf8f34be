import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse, requireVersion } from '../core/errors.ts'
import { lockActivities } from '../events/activity.ts'
import { takeEventTime } from '../events/log.ts'
import { changedBy } from '../events/ticket-history.ts'
import type { DbOrTx } from '../events/transaction.ts'
import { findTicketId, getTicketId } from '../messages/messages.ts'
import { closeLocked } from './close.ts'
import { changeAndGetTicket } from './find.ts'
import {
  type LockedTicket,
  lockBoth,
  lockMessages,
  updateTicket,
  updateTicketOf,
  updateTicketVersion,
} from './queries.ts'
import type { Merging, Ticket } from './schema.ts'
import { record } from './system-messages.ts'
import { insertMerge } from './unmerge.ts'

function requireMergeable(source: LockedTicket, target: LockedTicket, isForced: boolean): void {
  for (const [field, { merged_into_id }] of [
    ['ticket_id', source],
    ['into_ticket_id', target],
  ] as const)
    if (merged_into_id !== null) throw refuse(field, 'merged', { merged_into_id })
  if (!isForced && source.contact_id !== target.contact_id) throw refuse('into_ticket_id', 'other_contact')
}

/** Moves the conversation into another ticket and closes this one permanently. */
export function mergeTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: Merging,
  version: number | null = null,
): Promise<Ticket> {
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const sourceId = await getTicketId(tx, tx.projectId, reference)
    const targetId = await findTicketId(tx, tx.projectId, input.into_ticket_id)
    if (!targetId) throw refuse('into_ticket_id', 'not_found')
    if (sourceId === targetId) throw refuse('into_ticket_id', 'same')
    const [source, target] = await lockBoth(tx, tx.projectId, sourceId, targetId)
    if (!source || !target) throw new ApiError('TICKET_NOT_FOUND')
    requireVersion(version, source)
    requireMergeable(source, target, input.force ?? false)
    await lockMessages(tx, tx.projectId, source.id)
    await lockActivities(tx, tx.projectId, [source.id, target.id])
    const by = changedBy(caller)
    const at = await takeEventTime(tx, tx.projectId)
    await insertMerge(tx, tx.projectId, source.id, target.id, at)
    await updateTicketOf(tx, tx.projectId, source.id, target.id, at)
    if (source.status !== 'closed')
      await closeLocked(tx, source, by, { reason: 'merged', short_id: `${target.number}` })
    await updateTicket(tx, by, source.id, { merged_into_id: target.id })
    await updateTicketVersion(tx, target.id)
    tx.record({ ticketId: target.id, by, changes: { merged_ticket_id: [null, source.id] } })
    await record(tx, target.id, 'ticket_merged', { ticket_id: source.id, short_id: `${source.number}` })
    const tell = (ticket_id: string, other: object) =>
      tx.emit({ type: 'ticket.updated', data: { ticket_id, cause: 'merged', ...other } })
    tell(source.id, { merged_into_id: target.id })
    tell(target.id, { merged_ticket_id: source.id })
    return target.id
  })
}
