import type { Vault } from '../../../core/crypto.ts'
import { parseTime } from '../../../core/time.ts'
import type { Tx } from '../../../events/transaction.ts'
import { lockMessage, updateSentByEmail } from '../../../messages/messages.ts'
import type { MessageEmail, StoredEmail } from '../../../messages/schema.ts'
import { queueEmail } from './outlet.ts'
import { describeSendingMailbox, sentEmailDefaults } from './prepare.ts'
import { findReply, type ReplyRoute } from './reply.ts'

/** Emails replies that the contact has not read in the chat. */

/** Messages of one ticket, oldest first. */
interface UnreadReplies {
  ticketId: string
  ids: string[]
  route: ReplyRoute
}

const storedOf = ({ recipients: _, ...email }: MessageEmail): StoredEmail => email

/** Sends all of them in one email, and each shows its delivery status. Returns false if the email has no recipient. */
export function createUnreadSending({ vault }: { vault: Vault }) {
  const key = vault.derive('mail')
  return async (tx: Tx, { ticketId, ids, route }: UnreadReplies): Promise<boolean> => {
    const reply = await findReply(tx, tx.projectId, ticketId, route)
    const id = ids.at(-1)!
    const message = await lockMessage(tx, tx.projectId, id)
    if (!reply?.recipients.to.length || !message) return false
    const written = message.email && storedOf(message.email)
    const email: StoredEmail = {
      ...(written ?? sentEmailDefaults),
      ...describeSendingMailbox(key, { ...message, email: written }, reply.mailbox),
      ...reply.recipients,
      in_reply_to: reply.inReplyTo,
      subject: reply.subject,
      date: parseTime(message.created_at),
    }
    await updateSentByEmail(tx, ids, email)
    await queueEmail(tx, { id, email })
    return true
  }
}

export type SendUnread = ReturnType<typeof createUnreadSending>
