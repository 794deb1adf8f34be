import { now, toDatabase } from '../core/time.ts'
import type { Tx } from '../events/transaction.ts'
import type { Message, StoredEmail } from './schema.ts'

/** What became of a message outside Deskbell. */
export interface DeliveryChange {
  status: Message['delivery']['status']
  /** The server's code and words, or a code of Deskbell. */
  error: string | null
  /** The attempts since the last change. */
  attempts?: number
}

/** Changes a message's delivery, unless it is deleted or withdrawn. The caller holds its row in the queue. */
export async function updateDelivery(tx: Tx, id: string, change: DeliveryChange): Promise<void> {
  const { count } = await tx`
    update messages set delivery_status = ${change.status}, delivery_error = ${change.error},
      delivery_attempts = delivery_attempts + ${change.attempts ?? 0}::int, delivery_updated_at = ${toDatabase(now())},
      version = version + 1
    where project_id = ${tx.projectId} and id = ${id} and delivery_status <> 'scheduled'
      and (delivery_status, delivery_error, ${change.attempts ?? 0}::int)
        is distinct from (${change.status}::text, ${change.error}::text, 0)`
  if (count) tx.touch('message', id)
}

/** Changes how a message is sent by email. */
export async function updateEmail(tx: Tx, id: string, email: StoredEmail): Promise<void> {
  await tx`
    update messages set email = ${email as never}, version = version + 1 where project_id = ${tx.projectId} and id = ${id}`
  tx.touch('message', id)
}
