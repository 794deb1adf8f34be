import type { Vault } from '../../../core/crypto.ts'
import { ApiError } from '../../../core/errors.ts'
import { now, parseTime } from '../../../core/time.ts'
import type { Tx } from '../../../events/transaction.ts'
import { updateSentByEmail } from '../../../messages/messages.ts'
import type { StoredEmail } from '../../../messages/schema.ts'
import { record } from '../../../tickets/tickets.ts'
import { findReplyMailboxes } from '../reply-mailboxes/reply-mailbox-queries.ts'
import { queueEmail } from './outlet.ts'
import { describeSendingMailbox, sentEmailDefaults } from './prepare.ts'
import { findReplyRoute } from './reply.ts'
import { findTranscriptFacts, type TranscriptFacts } from './transcript-queries.ts'

/**
 * Sends a copy of a conversation to its contact. The copy is the email of a system message, so that it is queued, retried and tracked
 * like a reply, comes from a mailbox of the project, and replies to it join the ticket.
 */

const maxPerDay = 5

/**
 * Visitors may have typed someone else's address, and must not be able to make Deskbell send email to it. So an operator must have
 * replied in the ticket, and the number of copies per contact is limited.
 */
function requireRequestable({ is_answered, recent, today }: TranscriptFacts): void {
  if (!is_answered) throw new ApiError('NOT_POSSIBLE', { reason: 'not_answered' })
  if (recent > 0 || today >= maxPerDay) throw new ApiError('NOT_POSSIBLE', { reason: 'transcript_sent' })
}

/** The operator who asked for the copy; null if the visitor did. */
export type TranscriptAuthor = { id: string; name: string } | null

export function createTranscripts({ vault }: { vault: Vault }) {
  const key = vault.derive('mail')
  return async (tx: Tx, ticketId: string, by: TranscriptAuthor): Promise<void> => {
    const { projectId } = tx
    const facts = await findTranscriptFacts(tx, projectId, ticketId)
    if (by === null) requireRequestable(facts)
    const { widget_mailbox_id } = await findReplyMailboxes(tx, projectId)
    const route = await findReplyRoute(tx, projectId, ticketId, widget_mailbox_id)
    if (!route) throw new ApiError('TICKET_NOT_FOUND')
    const { mailbox, address, subject } = route
    if (address === null || facts.is_undeliverable)
      throw new ApiError('NOT_POSSIBLE', { reason: 'no_address' })
    if (!mailbox || mailbox.sending === 'none') throw new ApiError('NOT_POSSIBLE', { reason: 'no_mailbox' })
    const id = await record(tx, ticketId, 'transcript_sent', { address, by }, true)
    const message = {
      id,
      ticket_id: ticketId,
      sender_type: 'system',
      sender_name: null,
      channel: 'email',
      email: null,
    }
    const email: StoredEmail = {
      ...sentEmailDefaults,
      ...describeSendingMailbox(key, message, mailbox),
      ...{ class: 'automated', to: [address], cc: [], bcc: [], in_reply_to: null, subject },
      date: parseTime(now()),
    }
    await updateSentByEmail(tx, [id], email)
    await queueEmail(tx, { id, email })
  }
}
