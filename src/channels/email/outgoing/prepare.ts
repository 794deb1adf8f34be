import type { Vault } from '../../../core/crypto.ts'
import { domainOf, foldEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'
import { parseTime } from '../../../core/time.ts'
import type { Tx } from '../../../events/transaction.ts'
import { makeMessageId, makeReplyAddress } from '../../../mail/tokens.ts'
import {
  hasNoMessenger,
  type Outlet,
  type OutletInput,
  type RetriedMessage,
  updateEmail,
  type WrittenMessage,
} from '../../../messages/messages.ts'
import type { StoredEmail } from '../../../messages/schema.ts'
import { findReplyMailboxes } from '../reply-mailboxes/reply-mailbox-queries.ts'
import { type EmailRecipients, requireRecipients } from './recipients.ts'
import { findReply, findSenders, type Senders } from './reply.ts'
import type { SendingMailbox } from './reply-queries.ts'

/** Decides how a message leaves by email, before it is written. */

/** The mailbox that somebody chose, otherwise the default. */
export function findChosenMailbox({ mailboxes, mailbox }: Senders, { email, mailbox_id }: OutletInput) {
  const id = mailbox_id ?? email?.mailbox_id
  if (!id) return mailbox
  const field = mailbox_id ? 'mailbox_id' : 'email.mailbox_id'
  const chosen = mailboxes.find(one => one.id === id)
  if (!chosen) throw refuse(field, 'not_found')
  if (chosen.sending === 'none') throw refuse(field, 'mailbox_cannot_send')
  return chosen
}

interface Sender {
  sender_type: string
  sender_name: string | null
}

/** What the address of a reply depends on. */
interface SentDraft extends Sender, Pick<RetriedMessage, 'id' | 'ticket_id'> {
  email: { forwarded?: unknown } | null
}

/** An operator's own name with that of the mailbox, as in "Omar (Acme Support)". Bots have the name of the mailbox. */
function senderName({ sender_type, sender_name }: Sender, mailbox: SendingMailbox): string | null {
  if (sender_type !== 'operator' || !sender_name) return mailbox.name || sender_name
  return mailbox.name ? `${sender_name} (${mailbox.name})` : sender_name
}

export const ownMessageId = (key: Buffer, id: string, address: string): string =>
  `<${makeMessageId(key, id, domainOf(address))}>`

/** What the mailbox determines. */
export function describeSendingMailbox(key: Buffer, draft: SentDraft, mailbox: SendingMailbox | null) {
  if (!mailbox) return { message_id: null, from: null, from_name: null, reply_to: [], mailbox_id: null }
  const { id, address, plus_works } = mailbox
  // A reply to a forward must lead to the note, and not to the conversation with the contact.
  const answered = draft.email?.forwarded ? draft.id : draft.ticket_id
  const replyTo = plus_works ? makeReplyAddress(key, address, answered) : null
  return {
    message_id: ownMessageId(key, draft.id, address),
    from: address,
    from_name: senderName(draft, mailbox),
    reply_to: replyTo === null ? [] : [replyTo],
    mailbox_id: id,
  }
}

/** The values of a sent email in fields that only matter for received ones, and its `thread_reason`. */
export const sentEmailDefaults = {
  thread_reason: 'sent',
  thread_evidence: null,
  related_ticket_id: null,
  warnings: [],
  class: 'person',
  authentication: { dmarc: 'none', spf: 'none', dkim: 'none' },
  spam: false,
  signature: null,
  encrypted: null,
  invitation: null,
  truncated: [],
  inline_media_ids: [],
  has_quote: false,
  has_raw: false,
} satisfies Partial<StoredEmail>

/**
 * The recipients of an operator's reply that arrived by email, without those who have that email. Null if the operator sent it to the
 * contact too.
 */
function remaining({ from, to, cc }: StoredEmail, recipients: EmailRecipients): EmailRecipients | null {
  const readers = new Set([from ?? '', ...to, ...cc].map(foldEmail))
  const isReader = (address: string): boolean => readers.has(foldEmail(address))
  if (recipients.to.some(isReader)) return null
  return { ...recipients, cc: recipients.cc.filter(address => !isReader(address)) }
}

/** Whether an operator's email reached the contact without Deskbell, so that it must not be sent again. */
export const isSentElsewhere = (key: Buffer, { id, email }: Pick<WrittenMessage, 'id' | 'email'>): boolean =>
  typeof email?.from === 'string' && email.message_id !== ownMessageId(key, id, email.from)

/**
 * Updates the sender of a failed message from the current settings of its mailbox, or chooses another mailbox if its own was deleted.
 * Chooses recipients if the message has none. The Message-ID stays the same, unless the message was part of another message's email:
 * then it gets a separate email.
 */
export async function completeEmail(tx: Tx, key: Buffer, message: RetriedMessage): Promise<RetriedMessage> {
  const senders = message.email && (await findSenders(tx, tx.projectId, message.ticket_id))
  if (!message.email || !senders) return message
  const { to, cc, bcc, mailbox_id, message_id, forwarded } = message.email
  const mailbox = senders.mailboxes.find(({ id }) => id === mailbox_id) ?? senders.mailbox
  const described = describeSendingMailbox(key, message, mailbox)
  const isUnaddressed = [...to, ...cc, ...bcc].length === 0 && !forwarded
  const reply = isUnaddressed ? await findReply(tx, tx.projectId, message.ticket_id) : null
  const own = isSentElsewhere(key, message) ? null : message_id
  const email: StoredEmail = {
    ...message.email,
    ...described,
    message_id: own ?? described.message_id,
    ...reply?.recipients,
  }
  await updateEmail(tx, message.id, email)
  return { ...message, email }
}

function requireContactAddress({ mailbox_id, email }: OutletInput, { to }: EmailRecipients): void {
  if (mailbox_id && to.length === 0 && !email?.to) throw refuse('contact.email', 'required')
}

/** Whether a message may be sent by email. Called for every reply, so it reads at most one row. */
async function mayLeave(tx: Tx, { channel }: WrittenMessage): Promise<boolean> {
  if (!hasNoMessenger(channel)) return channel === 'email'
  return (await findReplyMailboxes(tx, tx.projectId)).api_mailbox_id !== null
}

/** The outlet's `prepare`. A message without a recipient or a mailbox is stored too: its delivery then fails with the reason. */
export function prepareEmail({ vault }: { vault: Vault }): NonNullable<Outlet['prepare']> {
  const key = vault.derive('mail')
  return async (tx, draft, input) => {
    const reply = (await mayLeave(tx, draft)) ? await findReply(tx, tx.projectId, draft.ticket_id) : null
    if (!reply) return draft
    const received = draft.email
    const chosen = requireRecipients(input.email ?? {}, reply.recipients, reply.isOwn)
    requireContactAddress(input, chosen)
    if (draft.channel !== 'email' && chosen.to.length === 0) return draft
    const recipients = received ? remaining(received, chosen) : chosen
    if (!recipients) return draft
    const email: StoredEmail = {
      ...(received ?? sentEmailDefaults),
      ...(input.is_automatic && { class: 'auto_reply' }),
      ...describeSendingMailbox(key, draft, findChosenMailbox(reply, input)),
      ...recipients,
      in_reply_to: reply.inReplyTo,
      subject: input.email?.subject ?? reply.subject,
      date: parseTime(draft.send_at ?? draft.created_at),
    }
    return { ...draft, channel: 'email', email }
  }
}
