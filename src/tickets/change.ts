import { BriefError, refuse } from '../core/errors.ts'
import { mergeFields, pick } from '../core/fields.ts'
import { now, parseTime, toDatabase } from '../core/time.ts'
import { type Store, type Tx, transact } from '../events/transaction.ts'
import { findDepartment, findOperator } from '../operators/operators.ts'
import { rememberTags } from '../tags/tags.ts'
import { type Closer, closedFields, emitClosed } from './close.ts'
import { getLocked, getTicket } from './find.ts'
import { type LockedTicket, type TicketFields, updateTicket } from './queries.ts'
import type { Ticket, TicketChange } from './schema.ts'
import { requireMove, type Status } from './status.ts'

/** A sleeping ticket waits on hold; one that is moved elsewhere no longer sleeps. */
function statusFields(change: TicketChange, old: LockedTicket): TicketFields {
  const sleeps = typeof change.snoozed_until === 'string'
  const until = sleeps ? parseTime(change.snoozed_until!)! : null
  if (until !== null && until <= now()) throw refuse('snoozed_until', 'in_the_past')
  const status: Status = change.status ?? (sleeps ? 'on_hold' : old.status)
  if (change.status !== undefined || sleeps) requireMove(old.status, status)
  if (sleeps && status !== 'on_hold') throw refuse('snoozed_until', 'not_on_hold')
  const wakes = change.snoozed_until === null || status !== 'on_hold'
  return {
    ...(status !== old.status && { status }),
    ...(until !== null ? { snoozed_until: toDatabase(until) } : wakes && { snoozed_until: null }),
  }
}

/** Who will own the ticket when the change is made, looked up once. */
async function findAssignees(tx: Tx, change: TicketChange, old: LockedTicket) {
  const operatorId = change.operator_id === undefined ? old.operator_id : change.operator_id
  const departmentId = change.department_id === undefined ? old.department_id : change.department_id
  const operator = operatorId === null ? null : await findOperator(tx, tx.projectId, operatorId)
  const department = departmentId === null ? null : await findDepartment(tx, tx.projectId, departmentId)
  if (change.operator_id && !operator) throw refuse('operator_id', 'not_found')
  if (departmentId !== null && !department) throw refuse('department_id', 'not_found')
  return { operator, department }
}

type Assignees = Awaited<ReturnType<typeof findAssignees>>

function emitAssignment(
  tx: Tx,
  old: LockedTicket,
  { operator, department }: Assignees,
  status: Status,
): void {
  const ticket_id = old.id
  if ((department?.id ?? null) !== old.department_id) {
    tx.emit({
      type: 'ticket.transferred',
      data: {
        ticket_id,
        department_id: department?.id ?? null,
        department_name: department?.name ?? null,
        operator_id: operator?.id ?? null,
        operator_name: operator?.name ?? null,
      },
    })
  }
  if (operator && operator.id !== old.operator_id) {
    tx.emit({
      type: 'ticket.assigned',
      data: {
        ticket_id,
        operator_id: operator.id,
        operator_name: operator.name,
        operator_avatar_url: operator.avatar_url,
        status,
      },
    })
  }
}

/** Spec §6.5: after PATCH `ticket.updated` carries only the two ids, whatever has changed. */
export function changeTicket(
  store: Store,
  projectId: string,
  reference: string,
  change: TicketChange,
  by: Closer,
  version: number | null,
): Promise<Ticket> {
  return transact(store, projectId, async tx => {
    const old = await getLocked(tx, reference)
    if (version !== null && version !== old.version) throw new BriefError('stale')
    const moved = statusFields(change, old)
    const assignees = await findAssignees(tx, change, old)
    const closes = moved.status === 'closed' ? closedFields(old, by) : null
    const fields: TicketFields = {
      ...pick(change, ['subject', 'priority', 'operator_id', 'department_id', 'external_id', 'is_spam']),
      ...(change.tags && { tags: [...new Set(change.tags)] }),
      ...(change.custom_fields && { custom_fields: mergeFields(old.custom_fields, change.custom_fields) }),
      ...moved,
      ...closes,
    }
    await rememberTags(tx, projectId, fields.tags)
    await updateTicket(tx, projectId, old.id, fields, closes?.closed_at ?? toDatabase(now()))
    tx.emit({ type: 'ticket.updated', data: { ticket_id: old.id, workspace_id: projectId } })
    emitAssignment(tx, old, assignees, moved.status ?? old.status)
    if (closes) emitClosed(tx, old, closes)
    return getTicket(tx, projectId, old.id)
  })
}
