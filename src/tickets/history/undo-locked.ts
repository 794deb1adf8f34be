import type { Caller } from '../../core/endpoint.ts'
import { toDatabase } from '../../core/time.ts'
import { changedBy } from '../../events/ticket-history.ts'
import type { Tx } from '../../events/transaction.ts'
import { restoreWait } from '../../messages/messages.ts'
import { findDepartment, findOperator } from '../../operators/operators.ts'
import { ensureTags } from '../../tags/tags.ts'
import { emitAssignment, findAssignees, recordAssignment } from '../assign.ts'
import { closerOf, emitClosed } from '../close.ts'
import { type LockedTicket, type TicketFields, updateTicket } from '../queries.ts'
import { record } from '../system-messages.ts'
import type { ChangeRow } from './history-queries.ts'
import { type CurrentFields, type KeptField, planUndo } from './undo-plan.ts'

/** Undoing a change to a locked ticket, which is itself a change. */

/** The operator and the department stay if the earlier one no longer exists. Returns those fields. */
async function keepMissing(tx: Tx, fields: TicketFields): Promise<string[]> {
  const missing: string[] = []
  const { operator_id, department_id } = fields
  if (operator_id && !(await findOperator(tx, tx.projectId, operator_id))) missing.push('operator_id')
  if (department_id && !(await findDepartment(tx, tx.projectId, department_id))) missing.push('department_id')
  if (missing.includes('operator_id')) delete fields.operator_id
  if (missing.includes('department_id')) delete fields.department_id
  return missing
}

/** An operator who has left the project does not get an open ticket back. */
async function withoutFormerOperator(
  tx: Tx,
  ticket: LockedTicket,
  fields: TicketFields,
): Promise<TicketFields> {
  const opens = ticket.status === 'closed' && fields.status !== undefined && fields.status !== 'closed'
  if (!opens || fields.operator_id !== undefined || ticket.operator_id === null) return fields
  const isThere = await findOperator(tx, tx.projectId, ticket.operator_id)
  return isThere ? fields : { ...fields, operator_id: null }
}

const timeOf = (time: string | null | undefined) => time && toDatabase(time)

/** Emits the same events and adds the same system messages as any other change to these fields. */
async function announce(tx: Tx, caller: Caller, old: LockedTicket, fields: TicketFields): Promise<void> {
  const status = fields.status ?? old.status
  const moved = status === old.status ? {} : { status, previous_status: old.status }
  tx.emit({ type: 'ticket.updated', data: { ticket_id: old.id, cause: 'undone', ...moved } })
  if ('operator_id' in fields || 'department_id' in fields) {
    const assignees = await findAssignees(tx, fields, old)
    emitAssignment(tx, old, assignees, status)
    await recordAssignment(tx, caller, old, assignees)
  }
  if (status === old.status) return
  if (old.status === 'closed') {
    tx.emit({ type: 'ticket.reopened', data: { ticket_id: old.id, status } })
    await record(tx, old.id, 'ticket_reopened', {})
  }
  if (status === 'closed') {
    const { closed_at, resolution_secs } = fields
    emitClosed(tx, old, { closed_at: closed_at!, resolution_secs: resolution_secs! })
    await record(tx, old.id, 'ticket_closed', { closed_by: closerOf(changedBy(caller)) })
  }
}

async function restore(
  tx: Tx,
  caller: Caller,
  ticket: LockedTicket,
  change: ChangeRow,
  planned: TicketFields,
) {
  const fields = await withoutFormerOperator(tx, ticket, {
    ...planned,
    ...(planned.tags && { tags: await ensureTags(tx, tx.projectId, planned.tags) }),
    ...('closed_at' in planned && { closed_at: timeOf(planned.closed_at) }),
    ...('snoozed_until' in planned && { snoozed_until: timeOf(planned.snoozed_until) }),
  })
  const by = changedBy(caller)
  await updateTicket(tx, by, ticket.id, fields)
  if (ticket.status === 'closed' && fields.status) await restoreWait(tx, ticket.id)
  tx.record({ ticketId: ticket.id, by, changes: {}, undoes: change.id })
  if (fields.snoozed_until) tx.noteDue('snoozes', fields.snoozed_until)
  await announce(tx, caller, ticket, fields)
}

export interface Undone {
  undone: string[]
  /** Because somebody has changed them since. */
  kept: KeptField[]
  /** Fields that stay because the operator or the department no longer exists. */
  missing: string[]
  /** Whether the change had been undone before. */
  wasUndone: boolean
}

/** `later`: the later changes of the ticket, oldest first. */
export async function undoLocked(
  tx: Tx,
  caller: Caller,
  ticket: LockedTicket,
  change: ChangeRow,
  { current, later }: { current: CurrentFields; later: ChangeRow[] },
): Promise<Undone> {
  const { fields, undone, kept } = planUndo(current, change, later)
  const missing = await keepMissing(tx, fields)
  if (Object.keys(fields).length) await restore(tx, caller, ticket, change, fields)
  return {
    undone: undone.filter(field => !missing.includes(field)),
    kept,
    missing,
    wasUndone: change.undone_at !== null,
  }
}
