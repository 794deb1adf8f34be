import { listAttachedFiles, updateMediaAttached } from '../../../media/media.ts'
import { editReceived, lockMessage } from '../../../messages/messages.ts'
import { type ReceivedPart, updateCaption } from './message-queries.ts'
import type { MessageParts } from './post-message.ts'
import type { Handled, UpdateContext } from './update-context.ts'

/** The texts of all parts, followed by the lines about missing files. */
export const joinParts = (parts: ReceivedPart[]): string =>
  [...parts.map(({ caption }) => caption), ...parts.map(({ missing }) => missing)].filter(Boolean).join('\n')

/** Adds album parts that arrive after the other parts became a message. Telegram does not say when an album is complete. */
export async function addToAlbum(
  { tx, chat }: UpdateContext,
  { messages, files }: MessageParts,
  messageId: string,
): Promise<Handled> {
  const { projectId } = tx
  const message = await lockMessage(tx, projectId, messageId)
  if (!message) return { outcome: 'ignored' }
  const before = await listAttachedFiles(tx, projectId, messageId)
  const ids = [...before, ...files.media].map(({ id }) => id)
  await updateMediaAttached(tx, projectId, messageId, ids)
  const [last] = messages
  const parts = await updateCaption(tx, projectId, chat.id, last.message_id, last.caption ?? '')
  await editReceived(tx, messageId, { content: joinParts(parts), content_html: null })
  return { outcome: 'album' }
}
