import type { Tx } from '../../../events/transaction.ts'
import { readSubject } from '../../../mail/subject.ts'
import { record } from '../../../tickets/tickets.ts'
import type { MailToPost, PostedMail } from './post-mail.ts'

/** Notes that a contact answered with another subject. Notes each subject once. */
export async function noteSubject(
  tx: Tx,
  { mail: { headers }, judged }: Pick<MailToPost, 'mail' | 'judged'>,
  { ticketId, messageId }: PostedMail,
): Promise<void> {
  if (judged.class !== 'person' || !judged.choice.warnings.includes('subject_changed')) return
  const earlier = await tx<{ subject: string | null }[]>`
    select distinct email->>'subject' as subject from messages
    where project_id = ${tx.projectId} and ticket_id = ${ticketId} and id <> ${messageId} and email is not null`
  const { base } = readSubject(headers.subject)
  if (earlier.some(({ subject }) => subject !== null && readSubject(subject).base === base)) return
  const data = { subject: headers.subject.slice(0, 255).toWellFormed(), message_id: messageId }
  await record(tx, ticketId, 'subject_changed', data, true)
}
