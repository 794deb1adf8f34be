import { setUndeliverable } from '../../../contacts/contacts.ts'
import type { Caller } from '../../../core/endpoint.ts'
import { shortenText } from '../../../core/text/shorten-text.ts'
import type { Tx } from '../../../events/transaction.ts'
import type { ThreadReason } from '../../../mail/choose-ticket.ts'
import type { Mail, MailFile } from '../../../mail/mail.ts'
import type { Folded } from '../../../mail/quotes.ts'
import { keepUpload, type NewMedia } from '../../../media/media.ts'
import { hearContact, openTicket, postEmailReply } from '../../../tickets/tickets.ts'
import { updateNoticeAnswered } from '../notices/answer-queries.ts'
import { addForwardNote } from './add-forward-note.ts'
import { answerAutomatically, noteAutomaticAnswer } from './answer-automatically.ts'
import { findBrakeTicket, noteLoop } from './brakes.ts'
import { noteSubject } from './changed-subject.ts'
import type { MailSource } from './incoming-queries.ts'
import type { Judged } from './judge-mail.ts'
import { type Author, contactOf } from './mail-contact.ts'
import type { MessageContent } from './mail-content.ts'
import { messageFieldsOf, replyFieldsOf } from './mail-fields.ts'
import { insertMailDetails, insertMailIds } from './mail-queries.ts'
import { postOutsider } from './post-outsider.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Adds an email to its ticket in one transaction. */

export interface MailToPost {
  incomingId: string
  source: MailSource
  /** Whether only the beginning of the email was stored, because of its size. */
  isPartial: boolean
  mail: Mail
  /** The message's files, in the order of `media`. */
  files: MailFile[]
  judged: Judged
  facts: ProjectFacts
  folded: Folded
  content: MessageContent
  media: NewMedia[]
}

export interface PostedMail {
  reason: ThreadReason | 'forwarded'
  ticketId: string
  messageId: string
}

const projectOf = ({ projectId: id }: Tx, { facts }: MailToPost) => ({ id, name: facts.name })

const firstMessage = async (tx: Tx, ticketId: string): Promise<string> => {
  const [row] = await tx<{ id: string }[]>`
    select id from messages where project_id = ${tx.projectId} and ticket_id = ${ticketId} and sender_type <> 'system'
    order by created_at, id limit 1`
  return row!.id
}

async function joinTicket(
  tx: Tx,
  post: MailToPost,
  { caller }: Author,
  ticketId: string,
  {
    reason,
    keepsStatus,
    isChosen,
  }: { reason: PostedMail['reason']; keepsStatus: boolean; isChosen: boolean },
): Promise<PostedMail> {
  const { content, media } = post
  const heard = await hearContact(tx, caller, ticketId, {
    content: content.content,
    media_ids: media.map(({ id }) => id),
    fields: messageFieldsOf(post, reason),
    keepsStatus,
    isChosen,
  })
  return { reason, ticketId: heard.ticket_id, messageId: heard.message_id }
}

/** Opens a ticket, unless the contact has opened too many. Imported emails are old, so they are not counted as a loop. */
async function openFor(
  tx: Tx,
  post: MailToPost,
  author: Author,
  subject: string,
  reason: PostedMail['reason'],
  followUpOf: string | null = null,
): Promise<PostedMail> {
  const { facts, judged, content, media } = post
  const sender = { contactId: author.id, dmarc: judged.authentication.dmarc }
  const brake = post.source === 'import' || judged.isDecided ? null : await findBrakeTicket(tx, sender)
  if (brake) {
    const how = { reason: 'loop_suspected' as const, keepsStatus: judged.class !== 'person', isChosen: true }
    const posted = await joinTicket(tx, post, author, brake.id, how)
    await noteLoop(tx, brake)
    return posted
  }
  const owner = { id: author.id, name: author.name, isBlocked: false }
  const ticketId = await openTicket(tx, author.caller, owner, {
    subject: shortenText(subject.trim(), 255).kept || null,
    content: content.content,
    media_ids: media.map(({ id }) => id),
    channel: 'email',
    department_id: facts.mailbox.department_id,
    is_spam: judged.isSpam,
    message_fields: messageFieldsOf(post, reason),
    follow_up_of_id: followUpOf,
  })
  const posted = { reason, ticketId, messageId: await firstMessage(tx, ticketId) }
  await answerAutomatically(tx, post, ticketId)
  return posted
}

async function postForward(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { sender, subject } = post.judged.forwarded!
  const author = await contactOf(tx, projectOf(tx, post), sender)
  const posted = await openFor(tx, post, author, subject, 'forwarded')
  await addForwardNote(tx, post, posted.ticketId)
  return posted
}

/**
 * An operator's reply by email is treated like a reply in the dashboard. Automatic replies and replies to a mention become internal
 * notes, because they are not meant for the contact.
 */
async function postReply(tx: Tx, post: MailToPost, ticketId: string): Promise<PostedMail> {
  const { judged, content, media } = post
  const { choice, operator, answered } = judged
  const caller: Caller = { project: projectOf(tx, post), actor: { type: 'operator', ...operator! } }
  const input = {
    content: content.content,
    media_ids: media.map(({ id }) => id),
    is_internal: judged.class === 'auto_reply' || choice.isInternal || answered?.is_internal === true,
  }
  const id = await postEmailReply(tx, caller, ticketId, input, replyFieldsOf(post, choice.reason))
  if (answered) await updateNoticeAnswered(tx, tx.projectId, answered.id)
  return { reason: choice.reason, ticketId, messageId: id }
}

async function postContact(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { mail, judged } = post
  const { target, reason } = judged.choice
  const sender = judged.writer.contact!
  // An imported email may be so old that its address belongs to somebody else now.
  const isNew = post.source !== 'import'
  const isProved = isNew && judged.isVerified && mail.headers.from !== null
  const author = await contactOf(tx, projectOf(tx, post), sender, {
    mayBeBlocked: judged.isDecided,
    isProved,
  })
  if (isNew) await setUndeliverable(tx, [sender.address], false)
  if (target.kind !== 'ticket') {
    const followUpOf = target.kind === 'follow_up' ? target.of : null
    return openFor(tx, post, author, mail.headers.subject, reason, followUpOf)
  }
  const keepsStatus = judged.class === 'auto_reply'
  const how = { reason, keepsStatus, isChosen: judged.isDecided }
  const posted = await joinTicket(tx, post, author, target.id, how)
  await noteSubject(tx, post, posted)
  await noteAutomaticAnswer(tx, post, posted.ticketId)
  return posted
}

/** The ticket of an operator's reply: also one that was closed long ago, because operators may write in closed tickets. */
const repliedTicket = ({ isOperatorReply, choice: { target } }: Judged): string | null =>
  !isOperatorReply || target.kind === 'new' ? null : target.kind === 'ticket' ? target.id : target.of

function postMessageOf(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { forwarded, choice } = post.judged
  const { isInternal, target } = choice
  const ticketId = repliedTicket(post.judged)
  if (forwarded) return postForward(tx, post)
  if (ticketId) return postReply(tx, post, ticketId)
  return isInternal && target.kind === 'ticket' ? postOutsider(tx, post, target.id) : postContact(tx, post)
}

/** Writes the message, its files, and the IDs by which replies find it. */
export async function postMail(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { mail, folded, media } = post
  for (const file of media) await keepUpload(tx, tx.projectId, file)
  const posted = await postMessageOf(tx, post)
  const { messageId, threadIndex } = mail.headers
  await insertMailIds(tx, tx.projectId, posted.messageId, [
    ...(messageId ? [messageId] : []),
    ...(threadIndex && threadIndex.length >= 44 ? [threadIndex.slice(0, 44)] : []),
  ])
  await insertMailDetails(tx, tx.projectId, posted.messageId, {
    incoming_mail_id: post.incomingId,
    headers: mail.headers.list,
    quoted_text: folded.quotedText,
    quoted_html: folded.quotedHtml,
  })
  return posted
}
