import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { setOutlets } from '../messages/messages.ts'
import { setIsInChat } from '../tickets/tickets.ts'
import { createEmailOutlet } from './email/outgoing/outlet.ts'
import { createUnreadSending } from './email/outgoing/send-unread.ts'
import { createReplyNotice, isInChat } from './widget/reply-notices.ts'
import { sendUnreadReplies } from './widget/unread-replies.ts'

/** Channels other than the API: the widget and e-mail. */

/** Connects messages and tickets with their channels. Called once by each process that writes messages. */
export function connectChannels(deps: { config: Config; vault: Vault }): void {
  setOutlets([createReplyNotice(deps), createEmailOutlet(deps)])
  setIsInChat(isInChat)
}

/** Emails a project's due replies that contacts have not read in the chat. */
export const sendDueReplies = (db: Db, projectId: string, deps: { vault: Vault }): Promise<number> =>
  sendUnreadReplies(db, projectId, createUnreadSending(deps))
