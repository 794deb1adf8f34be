import { notifyMessageChange } from '../../../events/notifier.ts'
import type { Tx } from '../../../events/transaction.ts'
import { updateDelivery } from '../../../messages/messages.ts'
import { lockSentMessage, type RecipientResult, type RecipientStatus } from '../outgoing/outgoing-queries.ts'
import { markUndeliverable, noteProblems } from '../outgoing/problems.ts'
import { deliveryOf } from '../outgoing/sent-delivery.ts'
import type { RecipientChange } from './recipient-changes.ts'
import { listReportedRecipients, updateRecipient } from './report-queries.ts'

/** Records what happened to an email at its recipients. */

/** The statuses that each status may replace. A server that reports a failure after a success has sent the email on. */
const replaces: Record<RecipientChange['status'], RecipientStatus[]> = {
  delayed: ['pending', 'sent'],
  delivered: ['pending', 'sent', 'delayed'],
  failed: ['pending', 'sent', 'delayed'],
  read: ['pending', 'sent', 'delayed', 'delivered', 'failed'],
}

/** What is not known yet. */
const filterNews = (changes: RecipientChange[], recipients: RecipientResult[]): RecipientChange[] =>
  changes.filter(({ address, status }) =>
    recipients.some(one => one.address === address && replaces[status].includes(one.status)),
  )

async function updateAll(tx: Tx, messageId: string, changes: RecipientChange[]): Promise<RecipientChange[]> {
  const changed: RecipientChange[] = []
  for (const change of changes)
    if (await updateRecipient(tx, tx.projectId, messageId, replaces[change.status], change))
      changed.push(change)
  return changed
}

/**
 * Changes the recipients and the delivery of a message, and tells the people who work on its ticket about problems. `marksContacts`:
 * whether permanent failures also mark the addresses of contacts as undeliverable.
 */
export async function recordChanges(
  tx: Tx,
  messageId: string,
  changes: RecipientChange[],
  marksContacts: boolean,
): Promise<void> {
  const { projectId } = tx
  const news = filterNews(changes, await listReportedRecipients(tx, projectId, messageId))
  const refused = news.filter(({ status, isPermanent }) => status === 'failed' && isPermanent)
  if (marksContacts)
    await markUndeliverable(
      tx,
      refused.map(({ address }) => address),
    )
  const message = (await lockSentMessage(tx, projectId, messageId))!
  const changed = await updateAll(tx, messageId, news)
  if (changed.length === 0) return
  await updateDelivery(
    tx,
    messageId,
    deliveryOf(await listReportedRecipients(tx, projectId, messageId), message.error),
  )
  await noteProblems(tx, message, changed)
  tx.afterCommit(() => notifyMessageChange(projectId, messageId))
}
