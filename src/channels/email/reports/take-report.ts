import { foldEmail } from '../../../core/email.ts'
import type { Tx } from '../../../events/transaction.ts'
import { type DeliveryReport, readDeliveryReport } from '../../../mail/bounce.ts'
import type { Mail } from '../../../mail/mail.ts'
import { readComplaint, readReceipt } from '../../../mail/notices.ts'
import { record } from '../../../tickets/tickets.ts'
import type { MailResult } from '../incoming/incoming-queries.ts'
import { type ReceivedReport, reportClasses } from '../incoming/mail-report.ts'
import { lockSentMessage } from '../outgoing/outgoing-queries.ts'
import { findReported, type ReportedMessage } from './find-reported.ts'
import { listChanges, listReceiptChanges } from './recipient-changes.ts'
import { recordChanges } from './record-changes.ts'
import { hasComplaint, listReportedRecipients } from './report-queries.ts'

/** Handles reports about sent emails. */

/** The recipients in the report, spelled as they are stored. */
function addressesIn(mail: Mail, { deliveries }: DeliveryReport): string[] {
  const { recipient } = readReceipt(mail)
  const others = [recipient, readComplaint(mail) ?? null].filter(one => one !== null)
  return [...deliveries.map(one => one.recipient), ...others].map(foldEmail)
}

async function noteComplaint(tx: Tx, messageId: string, mail: Mail, recipients: string[]): Promise<void> {
  const said = readComplaint(mail)
  const named = recipients.find(one => one === foldEmail(said ?? ''))
  if (said === undefined || (said !== null && !named)) return
  const { ticket_id } = (await lockSentMessage(tx, tx.projectId, messageId))!
  const data = { address: named ?? (recipients.length === 1 ? recipients[0]! : null), message_id: messageId }
  if (!(await hasComplaint(tx, tx.projectId, ticket_id, data)))
    await record(tx, ticket_id, 'spam_complaint', data, true)
}

async function recordReport(
  tx: Tx,
  { mail, judged }: ReceivedReport,
  report: DeliveryReport,
  message: ReportedMessage,
): Promise<void> {
  const rows = await listReportedRecipients(tx, tx.projectId, message.id)
  const recipients = rows.map(({ address }) => address)
  if (judged.class === 'complaint') return noteComplaint(tx, message.id, mail, recipients)
  const isReceipt = judged.class === 'receipt'
  const changes = isReceipt ? listReceiptChanges(mail, recipients) : listChanges(mail, report, recipients)
  await recordChanges(tx, message.id, changes, message.isProven)
}

/** The outcome of a report. One about an email that the project did not send is parked. */
export async function takeReport(tx: Tx, taken: ReceivedReport): Promise<MailResult> {
  const { claimed, mail, facts, judged, key } = taken
  const { evidence: reason } = judged
  const outcome = reportClasses.find(one => one === judged.class)
  const report = readDeliveryReport(mail, facts.allAddresses)
  const search = {
    ...{ sql: tx, projectId: tx.projectId, key },
    ...{ mailboxId: facts.mailbox.id, envelope: claimed.envelope_to },
  }
  const message = outcome ? await findReported(search, mail, report, addressesIn(mail, report)) : null
  if (!message) {
    const isNotice = outcome === 'receipt' || outcome === 'complaint'
    return isNotice ? { state: 'done', outcome, reason } : { state: 'parked', outcome: 'backscatter', reason }
  }
  await recordReport(tx, taken, report, message)
  const { ticket_id } = (await lockSentMessage(tx, tx.projectId, message.id))!
  return {
    ...{ state: 'done', outcome: outcome!, reason },
    ...{ ticket_id, reported_message_id: message.id },
  }
}
