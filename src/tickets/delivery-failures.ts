import type { Tx } from '../events/transaction.ts'
import { alertReader } from '../messages/messages.ts'
import { record } from './system-messages.ts'
import type { DeliveryProblem } from './system-texts.ts'

async function findAssignee(tx: Tx, ticketId: string): Promise<string | null> {
  const [row] = await tx<{ operator_id: string | null }[]>`
    select operator_id from tickets where project_id = ${tx.projectId} and id = ${ticketId}`
  return row?.operator_id ?? null
}

/** Records in the ticket that a message could not be delivered, and makes the ticket unread for its assignee. */
export async function noteFailedDelivery(tx: Tx, ticketId: string, problem: DeliveryProblem): Promise<void> {
  await record(tx, ticketId, 'delivery_failed', problem, true)
  const assignee = await findAssignee(tx, ticketId)
  if (assignee) await alertReader(tx, ticketId, assignee)
}
