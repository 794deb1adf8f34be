import { ApiError } from '../../core/errors.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../../events/transaction.ts'
import {
  deleteReceived,
  editReceived,
  getMessage,
  renderContent,
  requireContent,
} from '../../messages/messages.ts'
import type { Message, NewMessage } from '../../messages/schema.ts'
import { findChannelMessage } from './message-queries.ts'
import type { Messenger } from './messenger.ts'

/** Edits and deletions of messages by the contacts who wrote them. */

const changeMessage = (
  store: DbOrTx,
  messenger: Messenger,
  projectId: string,
  accountId: string,
  externalId: string,
  change: (tx: Tx, messageId: string) => Promise<boolean>,
): Promise<Message> =>
  transactAndRead(
    store,
    projectId,
    async tx => {
      const found = externalId.includes('\0')
        ? null
        : await findChannelMessage(tx, messenger, projectId, accountId, externalId)
      if (!found?.is_received) throw new ApiError('MESSAGE_NOT_FOUND')
      await change(tx, found.message_id)
      return found.message_id
    },
    (tx, id) => getMessage(tx, projectId, id),
  )

interface MessageChange {
  content: string
  content_format?: NewMessage['content_format']
}

/** A deleted message does not change. */
export function editChannelMessage(
  store: DbOrTx,
  messenger: Messenger,
  projectId: string,
  accountId: string,
  externalId: string,
  { content, content_format = 'text' }: MessageChange,
): Promise<Message> {
  requireContent({ content, content_format })
  const content_html = content_format === 'text' ? null : renderContent(content, content_format)
  return changeMessage(store, messenger, projectId, accountId, externalId, (tx, id) =>
    editReceived(tx, id, { content, content_format, content_html }),
  )
}

export const deleteChannelMessage = (
  store: DbOrTx,
  messenger: Messenger,
  projectId: string,
  accountId: string,
  externalId: string,
): Promise<Message> => changeMessage(store, messenger, projectId, accountId, externalId, deleteReceived)
