import { anyId } from '../core/db.ts'
import type { Tx } from '../events/transaction.ts'
import type { Department } from '../operators/schema.ts'

/** When somebody leaves, or a department ends. */

interface Moved {
  id: string
  status: string
  operator_id: string | null
  operator_name: string | null
}

const touch = (tx: Tx, ids: string[]) => tx`
  update ticket_activity set updated_at = greatest(updated_at, now())
  where project_id = ${tx.projectId} and ticket_id = ${anyId(tx, ids)}`

/** Nobody answers tickets that belong to somebody who has gone: they wait for anybody. Closed ones still name them. */
export async function releaseTickets(tx: Tx, operatorId: string): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    with held as (
      select id from tickets where project_id = ${tx.projectId} and operator_id = ${operatorId} and status <> 'closed'
      order by id for no key update
    ) update tickets t set operator_id = null, version = version + 1 from held
      where t.project_id = ${tx.projectId} and t.id = held.id returning t.id`
  const ids = rows.map(({ id }) => id)
  await touch(tx, ids)
  tx.emit(
    ...ids.map(ticket_id => ({
      type: 'ticket.updated' as const,
      data: { ticket_id, cause: 'operator_removed' },
    })),
  )
}

/** Closed tickets move without a word. */
export async function moveTickets(tx: Tx, from: string, to: Department): Promise<void> {
  const rows = await tx<Moved[]>`
    with held as (
      select id from tickets where project_id = ${tx.projectId} and department_id = ${from}
      order by id for no key update
    ), moved as (
      update tickets t set department_id = ${to.id}, version = version + 1 from held
      where t.project_id = ${tx.projectId} and t.id = held.id returning t.id, t.status, t.operator_id
    )
    select m.*, o.name as operator_name from moved m
    left join operators o on o.project_id = ${tx.projectId} and o.id = m.operator_id where m.status <> 'closed'`
  await touch(
    tx,
    rows.map(({ id }) => id),
  )
  tx.emit(
    ...rows.map(({ id, operator_id, operator_name }) => ({
      type: 'ticket.transferred' as const,
      data: { ticket_id: id, department_id: to.id, department_name: to.name, operator_id, operator_name },
    })),
  )
}
