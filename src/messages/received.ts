import { now, toDatabase } from '../core/time.ts'
import { notifyMessageChange } from '../events/notifier.ts'
import type { Tx } from '../events/transaction.ts'
import { deleteAttachedFiles, lockAttachedFiles } from '../media/media.ts'
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
export const editReceived = (
  tx: Tx,
  id: string,
  text: Pick<MessageDraft, 'content' | 'content_html'> & Partial<Pick<MessageDraft, 'content_format'>>,
): Promise<boolean> => changeReceived(tx, id, text, 'edited_at')

/**
 * Removes the text and the files of a received message, after its writer has deleted it in the channel. Returns false if it was already
 * deleted. Files are locked before messages.
 */
export async function deleteReceived(tx: Tx, id: string): Promise<boolean> {
  await lockAttachedFiles(tx, tx.projectId, id)
  return changeReceived(tx, id, { content: '', content_html: null }, 'deleted_at')
}

async function changeReceived(
  tx: Tx,
  id: string,
  text: Pick<MessageDraft, 'content' | 'content_html'> & Partial<Pick<MessageDraft, 'content_format'>>,
  time: 'edited_at' | 'deleted_at',
): Promise<boolean> {
  const row = await lockMessage(tx, tx.projectId, id)
  if (!row || row.deleted_at !== null) return false
  const changedAt = now()
  const isDeleted = time === 'deleted_at'
  if (isDeleted) await deleteAttachedFiles(tx, tx.projectId, id)
  const { content_format } = row
  const others = tx`${tx(time)} = ${toDatabase(changedAt)}`
  await updateMessageText(tx, isDeleted ? { ...row, media: [] } : row, { content_format, ...text }, others)
  tx.emit(messageEdited(row, text, changedAt))
  return true
}
