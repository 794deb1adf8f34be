import { anyId } from '../core/db/db.ts'
import { lockActivities } from '../events/activity.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import type { Department } from '../operators/schema.ts'

/** What happens to tickets when an operator leaves or a department is deleted. */

interface Moved {
  id: string
  status: string
  operator_id: string | null
  operator_name: string | null
}

/** Unassigns the tickets of an operator who leaves. Closed tickets keep their operator. */
export async function releaseTickets(tx: Tx, by: ChangedBy, operatorId: string): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    with held as (
      select id from tickets where project_id = ${tx.projectId} and operator_id = ${operatorId} and status <> 'closed'
      order by id for no key update
    ) update tickets t set operator_id = null, version = version + 1 from held
      where t.project_id = ${tx.projectId} and t.id = held.id returning t.id`
  const ids = rows.map(({ id }) => id)
  await touchAll(tx, ids)
  for (const ticketId of ids) tx.record({ ticketId, by, changes: { operator_id: [operatorId, null] } })
  tx.emit(
    ...ids.map(ticket_id => ({
      type: 'ticket.updated' as const,
      data: { ticket_id, cause: 'operator_removed' },
    })),
  )
}

/** Tickets per statement. More could exceed the statement timeout. */
const handoverBatchSize = 2_000

/** Closed tickets move without an event, but their `updated_at` changes. */
export async function moveTicketsToDepartment(
  tx: Tx,
  by: ChangedBy,
  from: string,
  to: Department,
): Promise<void> {
  const held = await tx<{ id: string }[]>`
    select id from tickets where project_id = ${tx.projectId} and department_id = ${from}
    order by id for no key update`
  for (let at = 0; at < held.length; at += handoverBatchSize) {
    const ids = held.slice(at, at + handoverBatchSize).map(({ id }) => id)
    await moveSome(tx, ids, to)
    await touchAll(tx, ids)
    for (const ticketId of ids) tx.record({ ticketId, by, changes: { department_id: [from, to.id] } })
  }
}

async function moveSome(tx: Tx, ids: string[], to: Department): Promise<void> {
  const rows = await tx<Moved[]>`
    with moved as (
      update tickets t set department_id = ${to.id}, version = version + 1
      where t.project_id = ${tx.projectId} and t.id = ${anyId(tx, ids)} returning t.id, t.status, t.operator_id
    )
    select m.*, o.name as operator_name from moved m
    left join operators o on o.project_id = ${tx.projectId} and o.id = m.operator_id where m.status <> 'closed'`
  tx.emit(
    ...rows.map(({ id, operator_id, operator_name }) => ({
      type: 'ticket.transferred' as const,
      data: { ticket_id: id, department_id: to.id, department_name: to.name, operator_id, operator_name },
    })),
  )
}

async function touchAll(tx: Tx, ids: string[]): Promise<void> {
  await lockActivities(tx, tx.projectId, ids)
  tx.touch('ticket', ...ids)
}
