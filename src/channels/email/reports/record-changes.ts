import { setUndeliverable } from '../../../contacts/contacts.ts'
import { notifyMessageChange } from '../../../events/notifier.ts'
import type { Tx } from '../../../events/transaction.ts'
import { alertReader, type DeliveryChange, updateDelivery } from '../../../messages/messages.ts'
import { printAnswer, record } from '../../../tickets/tickets.ts'
import type { RecipientChange } from './recipient-changes.ts'
import {
  listReportedRecipients,
  lockSentMessage,
  type ReportedRecipient,
  type ReportedStatus,
  updateRecipient,
} from './report-queries.ts'

/** Records what happened to an email at its recipients. */

/** The statuses that each status may replace. A server that reports a failure after a success has sent the email on. */
const replaces: Record<RecipientChange['status'], ReportedStatus[]> = {
  delayed: ['pending', 'sent'],
  delivered: ['pending', 'sent', 'delayed'],
  failed: ['pending', 'sent', 'delayed'],
  read: ['pending', 'sent', 'delayed', 'delivered', 'failed'],
}

type Delivery = Pick<DeliveryChange, 'status' | 'error'>

/** A code of Deskbell, such as `edit_not_propagated`. A confirmed delivery ends the uncertainty of `outcome_unknown`. */
function keptError({ error }: Delivery, isConfirmed: boolean): string | null {
  if (error === null || !/^[a-z_]+$/.test(error)) return null
  return isConfirmed && error === 'outcome_unknown' ? null : error
}

/** The delivery of a message, from what happened at its recipients; null while some still wait to be sent. */
function deliveryOf(recipients: ReportedRecipient[], before: Delivery): Delivery | null {
  const has = (status: ReportedStatus) => recipients.some(one => one.status === status)
  if (recipients.length === 0 || has('pending')) return null
  const failed = recipients.find(one => one.status === 'failed')
  if (failed) {
    const isEach = recipients.every(one => one.status === 'failed')
    return { status: isEach ? 'failed' : 'sent', error: printAnswer(failed) }
  }
  const isDelivered = recipients.every(one => one.status === 'delivered' || one.status === 'read')
  const status = has('read') ? 'read' : isDelivered ? 'delivered' : 'sent'
  return { status, error: keptError(before, status !== 'sent') }
}

/** What is not known yet. */
const filterNews = (changes: RecipientChange[], recipients: ReportedRecipient[]): RecipientChange[] =>
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

async function noteProblems(tx: Tx, messageId: string, ticketId: string, changed: RecipientChange[]) {
  for (const { address, status, code, words } of changed) {
    const data = { address, code, words, message_id: messageId }
    if (status === 'failed') await record(tx, ticketId, 'delivery_failed', data, true)
    if (status === 'delayed') await record(tx, ticketId, 'delivery_delayed', data, true)
  }
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
  if (marksContacts) for (const { address } of refused) await setUndeliverable(tx, address, true)
  const message = await lockSentMessage(tx, projectId, messageId)
  const changed = await updateAll(tx, messageId, news)
  if (changed.length === 0) return
  const delivery = deliveryOf(await listReportedRecipients(tx, projectId, messageId), message)
  if (delivery) await updateDelivery(tx, messageId, delivery)
  await noteProblems(tx, messageId, message.ticket_id, changed)
  if (message.operator_id !== null && changed.some(({ status }) => status === 'failed'))
    await alertReader(tx, message.ticket_id, message.operator_id)
  tx.afterCommit(() => notifyMessageChange(projectId, messageId))
}
