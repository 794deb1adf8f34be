import type { Tx } from '../../../events/transaction.ts'
import { isMarkedAsSpam } from '../../../mail/authentication.ts'
import { mayAcknowledge } from '../../../mail/machines.ts'
import { findAutomaticFacts, hasAutomatic, hasMailboxAddress } from '../automatic/automatic-queries.ts'
import { noteAutomaticReply, sendAutomatic } from '../automatic/send-automatic.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { listAddressVariants } from '../mailboxes/recipients.ts'
import type { MailToPost } from './post-mail.ts'

/** Decides which emails get an acknowledgement or an away message. */

const sendsAutomatic = ({ sends_acknowledgement, sends_away, sending, state }: MailboxRow): boolean =>
  (sends_acknowledgement || sends_away) && sending !== 'none' && state !== 'paused'

/** Whether the email comes from a person who may get an automatic answer. */
function mayAnswer({ mail, judged, facts }: MailToPost): boolean {
  const { operator, authentication, isSpam, class: kind } = judged
  const sender = { isSpam: isSpam || isMarkedAsSpam(mail.headers), isOperator: operator !== null }
  return authentication.dmarc !== 'fail' && mayAcknowledge(mail, kind, facts, sender)
}

/**
 * Sends an acknowledgement or an away message for the email that has opened a ticket, if its mailbox does so. Imported emails, forwarded
 * emails, and those that someone has made a ticket get none, because they were sent too long ago to be confirmed.
 */
export async function answerAutomatically(tx: Tx, post: MailToPost, ticketId: string): Promise<void> {
  const { source, judged, incomingId, mail, facts: project } = post
  const { mailbox } = project
  if (source === 'import' || judged.isDecided || judged.forwarded || !sendsAutomatic(mailbox)) return
  const { address } = judged.writer.contact!
  if (judged.class === 'auto_reply') return noteAutomaticReply(tx, ticketId, address)
  if (!mayAnswer(post) || (await hasMailboxAddress(tx, listAddressVariants(address)))) return
  const facts = await findAutomaticFacts(tx, tx.projectId, { ticketId, incomingId })
  if (facts.is_without_sender || facts.is_late) return
  const [language = null] = mail.headers.all['content-language'] ?? []
  await sendAutomatic(tx, { ticketId, mailbox, facts, address, language })
}

/** Adds a note that an automatic reply, such as an out-of-office reply, has answered our automatic email. */
export async function noteAutomaticAnswer(tx: Tx, { judged }: MailToPost, ticketId: string): Promise<void> {
  if (judged.class !== 'auto_reply' || !(await hasAutomatic(tx, tx.projectId, ticketId))) return
  await noteAutomaticReply(tx, ticketId, judged.writer.contact!.address)
}
