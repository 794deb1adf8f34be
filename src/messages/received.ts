import { notifyMessageChange } from '../events/notifier.ts'
import type { Tx } from '../events/transaction.ts'
import { updateMessageText } from './message-text.ts'
import type { MessageDraft, MessageRow } from './queries.ts'

/** The parts of the original that a message shows. */
export type ReceivedFields = Pick<MessageDraft, 'content' | 'content_html' | 'sender_name' | 'email'>

/**
 * Replaces what a locked message shows, after its original was read again. This is not an edit, so there is no event and no edit
 * time, and the ticket does not change.
 */
export async function replaceReceived(tx: Tx, row: MessageRow, fields: ReceivedFields): Promise<void> {
  const { content, content_html, sender_name, email } = fields
  const text = { content, content_html, content_format: row.content_format }
  const others = tx`sender_name = ${sender_name}, email = ${email}`
  await updateMessageText(tx, row, text, others)
  tx.afterCommit(() => notifyMessageChange(tx.projectId, row.id))
}
