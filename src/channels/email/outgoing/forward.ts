import type { Vault } from '../../../core/crypto.ts'
import type { Caller } from '../../../core/endpoint.ts'
import { ApiError, refuse } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../../../events/transaction.ts'
import { stripPrefixes } from '../../../mail/subject.ts'
import { addMessage, findMessage, getMessage, type MessageRow, ownDraft } from '../../../messages/messages.ts'
import type { Message, StoredEmail } from '../../../messages/schema.ts'
import { getSurvivor } from '../../../tickets/tickets.ts'
import type { NewForward } from './outgoing-schema.ts'
import { queueEmail } from './outlet.ts'
import { describeSendingMailbox, findChosenMailbox, sentEmailDefaults } from './prepare.ts'
import { requireRecipients } from './recipients.ts'
import { findSenders } from './reply.ts'

/**
 * Forwards a message to a third party. The text above it is stored as an internal note of the ticket, and so are the replies, because
 * the contact takes no part in this conversation.
 */

async function getForwardable(tx: Tx, id: string): Promise<MessageRow> {
  const row = isId(id) ? await findMessage(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('MESSAGE_NOT_FOUND')
  const isVisible = row.sender_type !== 'system' && row.delivery_status !== 'scheduled' && !row.deleted_at
  if (!isVisible) throw refuse('message_id', 'not_forwardable')
  return row
}

/** Returns the files to attach, by default all. */
function chooseFiles({ media }: MessageRow, chosen: string[] | undefined): string[] {
  const known = media.map(({ id }) => id)
  const missing = (chosen ?? []).filter(id => !known.includes(id))
  if (missing.length > 0) throw refuse('media_ids', 'not_found', { ids: missing })
  return chosen ? [...new Set(chosen)] : known
}

const noRecipients = { to: [], cc: [], bcc: [] }

const subjectOf = ({ email }: MessageRow, ticketSubject: string): string =>
  `Fwd: ${stripPrefixes(email?.subject || ticketSubject)}`.trim().slice(0, 255).toWellFormed()

async function forward(tx: Tx, key: Buffer, caller: Caller, messageId: string, input: NewForward) {
  const { projectId } = tx
  const row = await getForwardable(tx, messageId)
  const ticket = await getSurvivor(tx, row.ticket_id)
  const senders = (await findSenders(tx, projectId, ticket.id))!
  const forwarded = { message_id: row.id, media_ids: chooseFiles(row, input.media_ids) }
  const recipients = requireRecipients(input.email, noRecipients, senders.isOwn)
  const mailbox = findChosenMailbox(senders, { email: input.email })
  if (mailbox?.sending === 'none' || !mailbox) throw refuse('email.mailbox_id', 'mailbox_cannot_send')
  const { content, content_format } = input
  const note = { content, content_format, is_internal: true, reply_to_id: row.id }
  const draft = ownDraft(caller, ticket.id, note, { channel: 'email' })
  const email: StoredEmail = {
    ...sentEmailDefaults,
    ...{ ...recipients, in_reply_to: null, date: draft.created_at, forwarded },
    subject: input.email.subject ?? subjectOf(row, ticket.subject),
    ...describeSendingMailbox(key, { ...draft, email: { forwarded } }, mailbox),
  }
  await addMessage(tx, { ...draft, email })
  await queueEmail(tx, { id: draft.id, email })
  return draft.id
}

/** Returns the internal note that shows the forward. */
export function forwardMessage(
  { vault }: { vault: Vault },
  store: DbOrTx,
  caller: Caller,
  messageId: string,
  input: NewForward,
): Promise<Message> {
  const key = vault.derive('mail')
  const projectId = caller.project.id
  return transactAndRead(
    store,
    projectId,
    tx => forward(tx, key, caller, messageId, input),
    (tx, id) => getMessage(tx, projectId, id),
  )
}
