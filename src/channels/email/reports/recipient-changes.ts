import { foldEmail } from '../../../core/email.ts'
import { type DeliveryReport, type RecipientReport, readKnownRecipients } from '../../../mail/bounce.ts'
import type { Mail } from '../../../mail/mail.ts'
import { readReceipt } from '../../../mail/notices.ts'
import type { RecipientResult } from '../outgoing/outgoing-queries.ts'

/** What a report says about the recipients of a message. */

export interface RecipientChange extends RecipientResult {
  status: 'delayed' | 'delivered' | 'read' | 'failed'
  /** Whether further emails to this address will fail too. */
  isPermanent: boolean
}

const replyCode = /\b[245]\d\d\b/

const changeOf = ({ recipient, outcome, status, words, isPermanent }: RecipientReport): RecipientChange => ({
  address: foldEmail(recipient),
  status: outcome,
  code: status ?? replyCode.exec(words)?.[0] ?? null,
  words: words || null,
  isPermanent,
})

/** Ignores addresses that are not recipients of the message. Otherwise, a person who knows one message's ID could change the status of others. */
export function listChanges(
  mail: Mail,
  { deliveries }: DeliveryReport,
  recipients: string[],
): RecipientChange[] {
  const changes = deliveries.map(changeOf).filter(({ address }) => recipients.includes(address))
  return changes.length > 0 ? changes : readKnownRecipients(mail, recipients).map(changeOf)
}

/** The person who sent a receipt, if it names nobody. */
export function listReceiptChanges(mail: Mail, recipients: string[]): RecipientChange[] {
  const { recipient, status } = readReceipt(mail)
  const address = foldEmail(recipient ?? mail.headers.from?.address ?? '')
  if (!status || !recipients.includes(address)) return []
  return [{ address, status, code: null, words: null, isPermanent: false }]
}
