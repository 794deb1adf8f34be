import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { changesOf, mergeFields, pick } from '../core/fields.ts'
import { now, parseTime, toDatabase } from '../core/time.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import { changedBy } from '../events/ticket-history.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { ensureTags } from '../tags/tags.ts'
import { emitAssignment, findAssignees, recordAssignment } from './assign.ts'
import { closedFields, emitClosed } from './close.ts'
import { changeLockedTicket, requireUnmerged } from './find.ts'
import { type LockedTicket, type TicketFields, updateTicket } from './queries.ts'
import type { Ticket, TicketChange } from './schema.ts'
import { invalidMove, requireMove, type Status } from './status.ts'

/** A snoozed ticket is on hold. Any other status ends the snooze. */
function statusFields(change: TicketChange, old: LockedTicket): TicketFields {
  const sleeps = typeof change.snoozed_until === 'string'
  const until = sleeps ? parseTime(change.snoozed_until!)! : null
  if (until !== null && until <= now()) throw refuse('snoozed_until', 'in_the_past')
  const status: Status = change.status ?? (sleeps ? 'on_hold' : old.status)
  if (old.merged_into_id !== null && status !== old.status) throw invalidMove(old.status, status, 'merged')
  if (change.status !== undefined || sleeps) requireMove(old.status, status)
  if (sleeps && status !== 'on_hold') throw refuse('snoozed_until', 'not_on_hold')
  const wakes = change.snoozed_until === null || status !== 'on_hold'
  return {
    ...(status !== old.status && { status }),
    ...(until !== null ? { snoozed_until: toDatabase(until) } : wakes && { snoozed_until: null }),
  }
}

/** The old values in the form in which they are written. */
const inDatabase = (old: LockedTicket) => ({
  ...old,
  snoozed_until: old.snoozed_until && toDatabase(old.snoozed_until),
})

/** Spec §6.5: after a PATCH, `ticket.updated` has only the two ids. */
export async function changeLocked(
  tx: Tx,
  caller: Caller,
  old: LockedTicket,
  change: TicketChange,
): Promise<void> {
  const { projectId } = tx
  await checkFields(tx, caller, 'ticket', change.custom_fields)
  const moved = statusFields(change, old)
  requireUnmerged(old)
  const assignees = await findAssignees(tx, change, old)
  const closes = moved.status === 'closed' ? closedFields(old, changedBy(caller)) : null
  const fields: TicketFields = {
    ...pick(change, ['subject', 'priority', 'operator_id', 'department_id', 'external_id', 'is_spam']),
    ...(change.tags && { tags: await ensureTags(tx, projectId, change.tags) }),
    ...(change.custom_fields && { custom_fields: mergeFields(old.custom_fields, change.custom_fields) }),
    ...moved,
    ...closes,
  }
  const changes = changesOf(fields, inDatabase(old))
  if (Object.keys(changes).length) await updateTicket(tx, changedBy(caller), old.id, changes)
  if (fields.snoozed_until) tx.noteDue('snoozes', fields.snoozed_until)
  tx.emit({ type: 'ticket.updated', data: { ticket_id: old.id, workspace_id: projectId } })
  emitAssignment(tx, old, assignees, moved.status ?? old.status)
  if (closes) emitClosed(tx, old, closes)
  await recordAssignment(tx, caller, old, assignees)
}

export const changeTicket = (
  store: DbOrTx,
  caller: Caller,
  reference: string,
  change: TicketChange,
  version: number | null,
): Promise<Ticket> =>
  changeLockedTicket(store, caller, reference, version, (tx, old) => changeLocked(tx, caller, old, change))
