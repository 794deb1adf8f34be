import { ApiError, refuse } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { notifyMessageChange } from '../../../events/notifier.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../../../events/transaction.ts'
import { getMessage, updateDelivery } from '../../../messages/messages.ts'
import type { Message } from '../../../messages/schema.ts'
import { countOutgoing } from '../../../outgoing/outgoing.ts'
import { noteFailedDelivery } from '../../../tickets/tickets.ts'
import { lockSentIn, type SentChannelMessage, updateExternalId } from '../../messenger/message-queries.ts'
import { customMessenger } from '../queries.ts'
import type { ChannelDelivery, CustomChannel } from '../schema.ts'
import { deleteWaiting } from './outgoing-queries.ts'

/** Reports from programs about the delivery of messages. */

/** The statuses that a report can set, by the current status. A failed message changes only by a retry, after which it waits again. */
const nextStatuses: Record<string, ChannelDelivery['status'][]> = {
  pending: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read', 'failed'],
  delivered: ['read'],
}

async function recordReport(
  tx: Tx,
  channel: CustomChannel,
  row: SentChannelMessage,
  { status, error }: ChannelDelivery,
): Promise<void> {
  const words = status === 'failed' ? error?.trim() || 'failed' : null
  await deleteWaiting(tx, tx.projectId, row.id)
  const attempts = row.delivery_status === 'pending' ? 1 : 0
  await updateDelivery(tx, row.id, { status, error: words, attempts })
  if (words !== null)
    await noteFailedDelivery(tx, row.ticket_id, {
      address: row.full_name ?? row.contact_external_id,
      code: null,
      words,
      message_id: row.id,
      channel: 'custom',
      channel_title: channel.title,
    })
  tx.afterCommit(() => {
    notifyMessageChange(tx.projectId, row.id)
    if (attempts) countOutgoing('custom', status === 'failed' ? 'failed' : 'sent', null)
  })
}

/** A report that is repeated or that arrives after a later status changes nothing. */
export const reportDelivery = (
  store: DbOrTx,
  projectId: string,
  channel: CustomChannel,
  report: ChannelDelivery,
): Promise<Message> =>
  transactAndRead(
    store,
    projectId,
    async tx => {
      const { message_id, external_id } = report
      const row = isId(message_id)
        ? await lockSentIn(tx, customMessenger, projectId, channel.id, message_id)
        : null
      if (!row) throw new ApiError('MESSAGE_NOT_FOUND')
      if (
        external_id &&
        !(await updateExternalId(tx, customMessenger, projectId, {
          channelId: channel.id,
          messageId: row.id,
          externalId: external_id,
        }))
      )
        throw refuse('external_id', 'identifier_taken')
      if (nextStatuses[row.delivery_status]?.includes(report.status))
        await recordReport(tx, channel, row, report)
    },
    tx => getMessage(tx, projectId, report.message_id),
  )
