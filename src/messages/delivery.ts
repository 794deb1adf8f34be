import { now, toDatabase } from '../core/time.ts'
import { notifyMessageChange } from '../events/notifier.ts'
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

/** Notifies open dashboards about messages once the transaction has committed. */
const notifyPages = (tx: Tx, ids: string[]): void =>
  tx.afterCommit(() => {
    for (const id of ids) notifyMessageChange(tx.projectId, id)
  })

/**
 * Changes the delivery of a message and of messages in the same email, except those that are deleted or withdrawn. The caller must hold
 * the message's row in the queue.
 */
export async function updateDelivery(tx: Tx, id: string, change: DeliveryChange): Promise<void> {
  const changed = await tx<{ id: string }[]>`
    update messages set delivery_status = ${change.status}, delivery_error = ${change.error},
      delivery_attempts = delivery_attempts + ${change.attempts ?? 0}::int, delivery_updated_at = ${toDatabase(now())},
      version = version + 1
    where project_id = ${tx.projectId} and delivery_status <> 'scheduled'
      and id = any(array(select ${id}::uuid union all
        select message_id from unread_replies where project_id = ${tx.projectId} and sent_with = ${id}))
      and (delivery_status, delivery_error, ${change.attempts ?? 0}::int)
        is distinct from (${change.status}::text, ${change.error}::text, 0)
    returning id`
  const ids = changed.map(message => message.id)
  tx.touch('message', ...ids)
  notifyPages(
    tx,
    ids.filter(one => one !== id),
  )
}

/** Changes how a message is sent by email. */
export async function updateEmail(tx: Tx, id: string, email: StoredEmail): Promise<void> {
  await tx`
    update messages set email = ${email}, version = version + 1 where project_id = ${tx.projectId} and id = ${id}`
  tx.touch('message', id)
}

/** Moves messages to the channel `email`, and marks them as pending. */
export async function updateSentByEmail(tx: Tx, ids: string[], email: StoredEmail): Promise<void> {
  await tx`
    update messages set channel = 'email', email = ${email}, delivery_status = 'pending', delivery_error = null,
      delivery_attempts = 0, delivery_updated_at = ${toDatabase(now())}, version = version + 1
    where project_id = ${tx.projectId} and id = any(${ids}::uuid[])`
  tx.touch('message', ...ids)
  notifyPages(tx, ids)
}
