import type { Db } from '../core/db/db.ts'
import { notifyMessageChange } from '../events/notifier.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { type DeliveryChange, updateDelivery } from '../messages/messages.ts'
import { countOutgoing } from './outgoing-metrics.ts'
import type { ClaimedMessage } from './queue.ts'
import type { QueuedName } from './signals.ts'

/** Records the results of messages. */

class NotHeld extends Error {}

/**
 * Runs a change in a transaction of the message's project. Null from the change means that another process has since claimed the
 * message: then nothing is changed, and null is returned.
 */
export async function recordHeld<T>(
  db: Db,
  claimed: ClaimedMessage,
  change: (tx: Tx) => Promise<T | null>,
): Promise<T | null> {
  try {
    return await transact(db, claimed.project_id, async tx => {
      const result = await change(tx)
      if (result === null) throw new NotHeld()
      return result
    })
  } catch (error) {
    if (error instanceof NotHeld) return null
    throw error
  }
}

/** Changes the delivery of a message, and afterwards notifies open dashboards and counts the result. */
export async function recordDelivery(
  tx: Tx,
  channel: QueuedName,
  messageId: string,
  change: DeliveryChange,
): Promise<void> {
  await updateDelivery(tx, messageId, change)
  tx.afterCommit(() => {
    notifyMessageChange(tx.projectId, messageId)
    countOutgoing(channel, change.status, change.error)
  })
}
