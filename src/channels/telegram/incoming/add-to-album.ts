import { listAttachedFiles, updateMediaAttached } from '../../../media/media.ts'
import { editReceived, lockMessage } from '../../../messages/messages.ts'
import { updateCaption } from './message-queries.ts'
import type { MessageParts } from './post-message.ts'
import type { Handled, UpdateContext } from './update-context.ts'

/** Adds parts of an album that arrived after the others had become a message. Telegram does not say when an album is complete. */
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
  const captions = await updateCaption(tx, projectId, chat.id, last.message_id, last.caption ?? '')
  const content = [...captions.filter(Boolean), ...files.missing].join('\n')
  await editReceived(tx, messageId, { content, content_html: null })
  return { outcome: 'album' }
}
