import { upsertContact } from '../../contacts/contacts.ts'
import type { Caller } from '../../core/endpoint.ts'
import type { Tx } from '../../events/transaction.ts'
import type { Mail, MailAddress, MailFile } from '../../mail/mail.ts'
import type { Folded } from '../../mail/quotes.ts'
import { keepUpload, type NewMedia } from '../../media/media.ts'
import { addMessage, draftMessage, ownDraft, postLocked } from '../../messages/messages.ts'
import { hearContact, openTicket } from '../../tickets/tickets.ts'
import type { Judged } from './judge-mail.ts'
import { describeMail, type MessageContent } from './mail-content.ts'
import { insertMailDetails, insertMailIds } from './mail-queries.ts'
import type { ProjectFacts } from './project-facts.ts'

/** Adds an email to its ticket in one transaction. */

export interface MailToPost {
  incomingId: string
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
  reason: string
  ticketId: string
  messageId: string
}

/** Thrown if the contact is blocked, in which case no ticket is opened. */
export class ContactBlocked extends Error {}

interface Author {
  caller: Caller
  id: string
  name: string | null
}

/** The contact with this address. The sender's name is used only if the contact has none, because senders can claim any name. */
async function contactOf(tx: Tx, { facts }: MailToPost, { address, name }: MailAddress): Promise<Author> {
  const { id, isNew, isBlocked } = await upsertContact(tx, { email: address }, 'email')
  if (isBlocked) throw new ContactBlocked()
  const [known] = await tx<{ full_name: string | null }[]>`
    select full_name from contacts where project_id = ${tx.projectId} and id = ${id}`
  const shown = known?.full_name ?? name
  if (name && (isNew || !known?.full_name))
    await upsertContact(tx, { email: address, full_name: name }, 'email')
  const project = { id: tx.projectId, name: facts.name }
  return {
    id,
    name: shown,
    caller: { project, actor: { type: 'contact', id, name: shown ?? address, visitor_id: id } },
  }
}

const fieldsOf = ({ mail, files, judged, facts, folded, content, media }: MailToPost, reason: string) => ({
  channel: 'email',
  content_html: content.html,
  email: describeMail(
    mail,
    {
      class: judged.class,
      reason,
      evidence: judged.choice.evidence && `${judged.choice.evidence.reason}: ${judged.choice.evidence.value}`,
      related: judged.choice.related,
      warnings: judged.choice.warnings,
      authentication: judged.authentication,
      isSpam: judged.isSpam,
      answerTo: judged.writer.answerTo,
    },
    {
      mailboxId: facts.mailbox.id,
      inline: media.filter((_, at) => files[at]?.isInline),
      isFolded: folded.quotedText !== '',
      isCut: content.rest !== '',
    },
  ),
})

const firstMessage = async (tx: Tx, ticketId: string): Promise<string> => {
  const [row] = await tx<{ id: string }[]>`
    select id from messages where project_id = ${tx.projectId} and ticket_id = ${ticketId} and sender_type <> 'system'
    order by created_at, id limit 1`
  return row!.id
}

async function openFor(
  tx: Tx,
  post: MailToPost,
  author: Author,
  subject: string,
  reason: string,
): Promise<PostedMail> {
  const { facts, judged, content, media } = post
  const owner = { id: author.id, name: author.name, isBlocked: false }
  const ticketId = await openTicket(tx, author.caller, owner, {
    subject: subject.trim().slice(0, 255) || null,
    content: content.content,
    media_ids: media.map(({ id }) => id),
    channel: 'email',
    department_id: facts.mailbox.department_id,
    is_spam: judged.isSpam,
    message_fields: fieldsOf(post, reason),
  })
  return { reason, ticketId, messageId: await firstMessage(tx, ticketId) }
}

/** An operator's comment above a forwarded email becomes an internal note. */
async function addNote(
  tx: Tx,
  { judged: { operator, forwarded } }: MailToPost,
  ticketId: string,
): Promise<void> {
  if (!operator || !forwarded?.note) return
  const draft = draftMessage({
    ticket_id: ticketId,
    sender_type: 'operator',
    sender_id: operator.id,
    sender_name: operator.name,
    sender_avatar_url: operator.avatar_url,
    content: forwarded.note.slice(0, 65_536),
    is_internal: true,
  })
  await addMessage(tx, draft)
}

async function postForward(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { sender, subject } = post.judged.forwarded!
  const author = await contactOf(tx, post, sender)
  const posted = await openFor(tx, post, author, subject, 'forwarded')
  await addNote(tx, post, posted.ticketId)
  return posted
}

/** An operator's reply by email is treated like a reply in the dashboard. */
async function postAnswer(tx: Tx, post: MailToPost, ticketId: string): Promise<PostedMail> {
  const { judged, facts, content, media } = post
  const { choice, operator } = judged
  const caller: Caller = {
    project: { id: tx.projectId, name: facts.name },
    actor: { type: 'operator', ...operator! },
  }
  const draft = ownDraft(caller, ticketId, { content: content.content }, fieldsOf(post, choice.reason))
  const { id } = await postLocked(
    tx,
    draft,
    media.map(file => file.id),
  )
  return { reason: choice.reason, ticketId, messageId: id }
}

async function postContact(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { mail, judged, content, media } = post
  const { choice, writer } = judged
  const author = await contactOf(tx, post, writer.contact!)
  if (choice.target.kind === 'new') return openFor(tx, post, author, mail.headers.subject, choice.reason)
  const ticketId = choice.target.kind === 'ticket' ? choice.target.id : choice.target.of
  const posted = await hearContact(tx, author.caller, ticketId, {
    content: content.content,
    media_ids: media.map(({ id }) => id),
    fields: fieldsOf(post, choice.reason),
    keepsStatus: judged.class === 'auto_reply',
  })
  return { reason: choice.reason, ticketId: posted.ticket_id, messageId: posted.message_id }
}

/** Writes the message, its files, and the IDs by which replies find it. */
export async function postMail(tx: Tx, post: MailToPost): Promise<PostedMail> {
  const { mail, judged, folded, media } = post
  for (const file of media) await keepUpload(tx, tx.projectId, file)
  const { target } = judged.choice
  const isAnswer = judged.operator !== null && target.kind === 'ticket'
  const posted = judged.forwarded
    ? await postForward(tx, post)
    : isAnswer
      ? await postAnswer(tx, post, target.id)
      : await postContact(tx, post)
  const { messageId, threadIndex } = mail.headers
  await insertMailIds(tx, tx.projectId, posted.messageId, [
    ...(messageId ? [messageId] : []),
    ...(threadIndex && threadIndex.length >= 44 ? [threadIndex.slice(0, 44)] : []),
  ])
  await insertMailDetails(tx, tx.projectId, posted.messageId, {
    incoming_mail_id: post.incomingId,
    headers: mail.headers.all,
    quoted_text: folded.quotedText,
    quoted_html: folded.quotedHtml,
  })
  return posted
}
