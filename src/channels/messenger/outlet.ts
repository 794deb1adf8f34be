import type { Fragment, Sql } from '../../core/db/db.ts'
import type { Tx } from '../../events/transaction.ts'
import { type Outlet, updateDelivery, type WrittenMessage } from '../../messages/messages.ts'
import { queueMessage } from '../../outgoing/outgoing.ts'
import { findChannelRecipient, hasChannelIdentity, insertSentMessage } from './message-queries.ts'
import type { Messenger } from './messenger.ts'

interface MessengerOutlet {
  messenger: Messenger
  queue: Parameters<typeof queueMessage>[1]['channel']
  /** Which accounts `a` can send a message with this `channel`; null if the channel is another one. */
  isAccount(sql: Sql, channel: string): Fragment | null
}

type SentMessage = Pick<WrittenMessage, 'id' | 'ticket_id' | 'channel'>

/** Queues replies for the accounts of a messenger. A message that is waiting is sent with its new text. */
export function createMessengerOutlet({ messenger, queue, isAccount }: MessengerOutlet): Outlet {
  async function send(tx: Tx, { id, ticket_id, channel }: SentMessage): Promise<void> {
    const condition = isAccount(tx, channel)
    if (!condition) return
    const recipient = await findChannelRecipient(tx, messenger, tx.projectId, ticket_id, condition)
    if (!recipient) return updateDelivery(tx, id, { status: 'failed', error: 'no_recipient' })
    await insertSentMessage(tx, messenger, tx.projectId, id, recipient)
    await queueMessage(tx, { id, channel: queue, account_id: recipient.channel_id })
  }
  return {
    async canReach(tx, channel, contactId) {
      const condition = isAccount(tx, channel)
      return condition !== null && hasChannelIdentity(tx, messenger, tx.projectId, contactId, condition)
    },
    send,
    retry: send,
  }
}
