import type { Sql } from '../../../core/db/db.ts'
import { only, pick } from '../../../core/fields.ts'
import type { Tx } from '../../../events/transaction.ts'
import { readForward } from '../../../mail/forward.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { Folded } from '../../../mail/quotes.ts'
import { type AttachedFile, fileName, listAttachedFiles } from '../../../media/media.ts'
import { findMessage, lockMessage, type MessageRow, replaceReceived } from '../../../messages/messages.ts'
import { findAnsweredNotices, withNotices } from '../notices/read-answer.ts'
import { compareMails, type MailDifference, type ShownMail } from './difference.ts'
import { findEarlier } from './earlier.ts'
import { describeSender } from './judge-mail.ts'
import { describeMail, type FileId, listCuts, type MailJudgement, toContent } from './mail-content.ts'
import { findMailDetails, findMailIds, updateMailDetails } from './mail-queries.ts'
import { findShownMail, foldMail, type MailWork } from './prepare-mail.ts'
import { findProjectFacts } from './project-facts.ts'
import {
  keepMissingFiles,
  listRereadFiles,
  matchFiles,
  type RereadFiles,
  updateRereadFiles,
} from './reread-files.ts'

/** Reads the original of a message again, and replaces what the message shows. It keeps its ticket and its place there. */

/** The result of reading the original, for comparison with the message. */
export interface RereadMail extends RereadFiles {
  isPartial: boolean
  mail: Mail
  folded: Folded
  judged: Pick<MailJudgement, 'class' | 'answerTo'>
}

/** What was decided, or found out about the sender, when the email arrived. */
const keptFields = [
  ...(['mailbox_id', 'thread_reason', 'thread_evidence', 'related_ticket_id'] as const),
  ...(['warnings', 'authentication', 'spam', 'has_raw'] as const),
]

/** What was decided when an operator's reply by email was sent to the contact. */
const sentFields = [
  ...(['message_id', 'in_reply_to', 'from', 'from_name', 'to', 'cc', 'bcc'] as const),
  ...(['reply_to', 'subject', 'date'] as const),
]

/** The reasons of emails that were not compared with earlier messages. */
const unrelated = ['new', 'new_stranger', 'new_unverified', 'forwarded', 'loop_suspected']

/** The tickets whose messages the email may quote: its own, the one that it follows up, and those of the emails that it answers. */
async function listQuotedTickets(sql: Sql, projectId: string, ticketId: string, { headers }: Mail) {
  const answered = await findMailIds(sql, projectId, [...headers.inReplyTo, ...headers.references])
  const [ticket] = await sql<{ follow_up_of_id: string | null }[]>`
    select follow_up_of_id from tickets where project_id = ${projectId} and id = ${ticketId}`
  const ids = [ticketId, ticket?.follow_up_of_id, ...answered.map(one => one.ticket_id)]
  return [...new Set(ids.filter(id => typeof id === 'string'))]
}

/** Null if the message no longer exists. */
export async function rereadMail(work: MailWork, key: Buffer): Promise<RereadMail | null> {
  const { claimed, mail, deps } = work
  const { project_id: projectId, message_id } = claimed
  const message = await findMessage(deps.db, projectId, message_id!)
  if (!message?.email) return null
  const facts = await findProjectFacts(deps.db, claimed)
  if (!facts) throw new Error('The project has no mailbox. Add one, then read the email again.')
  const { writer, class: kind } = await describeSender({ sql: deps.db, key }, claimed, mail, facts)
  const reason = message.email.thread_reason
  const forwarded = reason === 'forwarded' ? readForward(mail) : null
  const shown = await findShownMail(work, forwarded)
  const findMessages = async () => {
    const tickets = await listQuotedTickets(deps.db, projectId, message.ticket_id, mail)
    const withNotes = message.is_internal
    const earlier = await findEarlier(deps.db, projectId, tickets, facts, { message, withNotes })
    const { notices } = await findAnsweredNotices(deps.db, key, projectId, mail, claimed.envelope_to)
    return withNotices(earlier, notices)
  }
  const folded = await foldMail(work, shown, forwarded, unrelated.includes(reason) ? null : findMessages)
  return {
    ...{ messageId: message.id, isPartial: claimed.is_partial, mail, folded },
    judged: { class: kind, answerTo: forwarded ? [forwarded.sender] : writer.answerTo },
    files: await listRereadFiles(work, shown, folded),
    stored: new Map(),
  }
}

/** A file that would be stored. */
const newFile: FileId = { id: 'new' }

/** A name that came from the email is replaced. Others, such as the contact's own name, stay. */
const senderName = ({ sender_type, sender_name, email }: MessageRow, name: string | null): string | null =>
  sender_type === 'contact' && name && sender_name === email?.from_name ? name : sender_name

function showReread(row: MessageRow, known: AttachedFile[], again: RereadMail): ShownMail {
  const { mail, judged, files, folded, stored, isPartial } = again
  const media = matchFiles(files, known).map((file, at) => file ?? stored.get(at) ?? newFile)
  const shown = toContent(folded, media)
  const { content, html } = shown
  const email = row.email!
  const { thread_reason: reason, thread_evidence: evidence, related_ticket_id: related } = email
  const { warnings, authentication, spam: isSpam } = email
  const described = describeMail(
    mail,
    { ...judged, reason, evidence, related, warnings, authentication, isSpam },
    {
      mailboxId: email.mailbox_id!,
      inline: media.filter((_, at) => files[at]!.isInline),
      isFolded: folded.quotedText !== '',
      cuts: listCuts(shown, folded, isPartial),
    },
  )
  const unmatched = known.filter(file => !media.includes(file))
  return {
    // Keeps text that a person edited.
    ...(row.edited_at === null ? { content, content_html: html } : only(row, ['content', 'content_html'])),
    sender_name: senderName(row, described.from_name),
    email: {
      ...described,
      ...pick(email, keptFields),
      ...(row.sender_type !== 'contact' && pick(email, sentFields)),
    },
    headers: mail.headers.list,
    quoted_text: folded.quotedText,
    quoted_html: folded.quotedHtml,
    media: [...files, ...unmatched].map(file => fileName(file.filename)),
  }
}

async function showStored(sql: Sql, projectId: string, row: MessageRow, known: AttachedFile[]) {
  const details = await findMailDetails(sql, projectId, row.id)
  const { content, content_html, sender_name } = row
  const { recipients, ...email } = row.email!
  const media = known.map(file => file.filename)
  const { headers = [], quoted_text = '', quoted_html = null } = details ?? {}
  return { content, content_html, sender_name, email, headers, quoted_text, quoted_html, media }
}

/** How the message would change. */
export async function compareReread(sql: Sql, projectId: string, again: RereadMail): Promise<MailDifference> {
  const row = await findMessage(sql, projectId, again.messageId)
  if (!row) return { fields: [], line: null }
  const known = await listAttachedFiles(sql, projectId, row.id)
  return compareMails(await showStored(sql, projectId, row, known), showReread(row, known, again))
}

/** Replaces what the message shows. A message that no longer exists stays deleted. */
export async function storeReread(tx: Tx, again: RereadMail): Promise<MailDifference> {
  const known = await keepMissingFiles(tx, again)
  const row = await lockMessage(tx, tx.projectId, again.messageId)
  if (!row) return { fields: [], line: null }
  const before = await showStored(tx, tx.projectId, row, known)
  const after = showReread(row, known, again)
  const difference = compareMails(before, after)
  if (difference.fields.length === 0) return difference
  await replaceReceived(tx, row, after)
  await updateMailDetails(tx, tx.projectId, row.id, after)
  await updateRereadFiles(tx, again, known)
  return difference
}
