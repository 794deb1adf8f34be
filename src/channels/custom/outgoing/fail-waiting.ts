import type { Tx } from '../../../events/transaction.ts'
import { updateDelivery } from '../../../messages/messages.ts'
import { lockWaiting } from './outgoing-queries.ts'

/** Marks the messages that wait for the program of a channel as failed, because the channel is being deleted. */
export async function failWaiting(tx: Tx, channelId: string): Promise<void> {
  const ids = await lockWaiting(tx, tx.projectId, channelId)
  for (const id of ids) await updateDelivery(tx, id, { status: 'failed', error: 'channel_deleted' })
  await tx`delete from outgoing_queue where project_id = ${tx.projectId} and account_id = ${channelId}`
}
