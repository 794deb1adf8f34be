import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { type Store, withHooks } from '../events/log.ts'
import { createEmailOutlet } from './email/outgoing/outlet.ts'
import { createUnreadSending } from './email/outgoing/send-unread.ts'
import { createTelegramOutlet } from './telegram/outgoing/outlet.ts'
import { createReplyNotice, isInChat } from './widget/reply-notices.ts'
import { sendUnreadReplies } from './widget/unread-replies.ts'

/** Channels other than the API: the widget, e-mail and Telegram. */

/** Connects a pool's changes with the channels that send messages. Called for each pool through which messages are written. */
export function connectChannels(deps: { db: Store; config: Config; vault: Vault }): void {
  withHooks(deps.db, {
    outlets: [createTelegramOutlet(), createReplyNotice(deps), createEmailOutlet(deps)],
    isInChat,
  })
}

/** Emails a project's due replies that contacts have not read in the chat. */
export const sendDueReplies = (db: Db, projectId: string, deps: { vault: Vault }): Promise<number> =>
  sendUnreadReplies(db, projectId, createUnreadSending(deps))
