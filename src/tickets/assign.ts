import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import type { Tx } from '../events/transaction.ts'
import { findDepartment, findOperator, noteForOperators, noteUnassigned } from '../operators/operators.ts'
import type { Operator } from '../operators/schema.ts'
import type { LockedTicket } from './queries.ts'
import type { TicketChange } from './schema.ts'
import type { Status } from './status.ts'
import { recordAction } from './system-messages.ts'

/** The operator and the department that the ticket will have after the change, looked up once. */
export async function findAssignees(
  tx: Tx,
  change: Pick<TicketChange, 'operator_id' | 'department_id'>,
  old: LockedTicket,
) {
  const operatorId = change.operator_id === undefined ? old.operator_id : change.operator_id
  const departmentId = change.department_id === undefined ? old.department_id : change.department_id
  const operator = operatorId === null ? null : await findOperator(tx, tx.projectId, operatorId)
  const department = departmentId === null ? null : await findDepartment(tx, tx.projectId, departmentId)
  if (typeof change.operator_id === 'string' && !operator) throw refuse('operator_id', 'not_found')
  if (departmentId !== null && !department) throw refuse('department_id', 'not_found')
  // An operator who has left keeps a ticket when something else changes.
  const isGiven = change.operator_id !== undefined && change.operator_id !== old.operator_id
  return { operator, department, isGiven }
}

export type Assignees = Awaited<ReturnType<typeof findAssignees>>

export function emitAssigned(
  tx: Tx,
  ticket: { id: string; status: Status },
  { id, name, avatar_url }: Operator,
): void {
  const operator = { operator_id: id, operator_name: name, operator_avatar_url: avatar_url }
  tx.emit({ type: 'ticket.assigned', data: { ticket_id: ticket.id, ...operator, status: ticket.status } })
}

/** Notifies an operator to whom someone else has assigned a ticket. */
export const noteAssigned = (
  tx: Tx,
  { actor }: Caller,
  ticketId: string,
  operator: Operator | null,
): Promise<void> =>
  noteForOperators(
    tx,
    { kind: 'assigned', ticketId, messageId: null },
    operator === null || operator.id === actor.id ? [] : [operator.id],
  )

const isMoved = (old: LockedTicket, { department }: Pick<Assignees, 'department'>): boolean =>
  (department?.id ?? null) !== old.department_id

export function emitAssignment(
  tx: Tx,
  old: LockedTicket,
  { operator, department }: Omit<Assignees, 'isGiven'>,
  status: Status,
): void {
  const ticket_id = old.id
  if (isMoved(old, { department })) {
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
  if (operator && operator.id !== old.operator_id) emitAssigned(tx, { id: ticket_id, status }, operator)
}

export async function recordAssignment(
  tx: Tx,
  caller: Caller,
  old: LockedTicket,
  assignees: Assignees,
): Promise<void> {
  const { operator, department, isGiven } = assignees
  if (isGiven) await noteAssigned(tx, caller, old.id, operator)
  if (!operator && isMoved(old, assignees)) {
    const department_id = department?.id ?? null
    await noteUnassigned(tx, { id: old.id, department_id }, caller.actor.id)
  }
  const data = { operator_id: operator?.id ?? null, operator_name: operator?.name ?? null }
  if (isMoved(old, assignees))
    return recordAction(tx, caller, old.id, 'ticket_transferred', {
      ...data,
      department_id: department?.id ?? null,
      department_name: department?.name ?? null,
      is_assigned: isGiven && operator !== null,
    })
  if (isGiven) await recordAction(tx, caller, old.id, 'ticket_assigned', data)
}
