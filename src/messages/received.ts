import { now, toDatabase } from '../core/time.ts'
import { notifyMessageChange } from '../events/notifier.ts'
import type { Tx } from '../events/transaction.ts'
import { messageEdited } from './edit.ts'
import { updateMessageText } from './message-text.ts'
import { lockMessage, type MessageDraft, type MessageRow } from './queries.ts'

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

/** Changes the text of a received message, after its writer has edited it in the channel. Returns false if the message was deleted. */
export async function editReceived(
  tx: Tx,
  id: string,
  text: Pick<MessageDraft, 'content' | 'content_html'>,
): Promise<boolean> {
  const row = await lockMessage(tx, tx.projectId, id)
  if (!row || row.deleted_at !== null) return false
  const editedAt = now()
  const { content_format } = row
  await updateMessageText(tx, row, { ...text, content_format }, tx`edited_at = ${toDatabase(editedAt)}`)
  tx.emit(messageEdited(row, text, editedAt))
  return true
}
