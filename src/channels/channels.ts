import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { setOutlets } from '../messages/messages.ts'
import { setIsInChat } from '../tickets/tickets.ts'
import { createEmailOutlet } from './email/outgoing/outlet.ts'
import { createUnreadSending } from './email/outgoing/send-unread.ts'
import { createTelegramOutlet } from './telegram/outgoing/outlet.ts'
import { createReplyNotice, isInChat } from './widget/reply-notices.ts'
import { sendUnreadReplies } from './widget/unread-replies.ts'

/** Channels other than the API: the widget, e-mail and Telegram. */

export { recheckDkimKeys } from './email/dkim/dkim-keys.ts'
export { deleteOldContents } from './email/incoming/old-contents.ts'
export { reportOutage } from './email/mailboxes/outages.ts'
export { deleteOldNoticeEmails } from './email/notices/answer-queries.ts'
export { sendNotices } from './email/notices/send-notices.ts'
export { createTranscripts } from './email/outgoing/transcript.ts'
export { runProbes } from './email/probes/send-probe.ts'
export { deleteExpiredSignIns } from './email/set-up/sign-in-queries.ts'
export { startEmail } from './email/start.ts'
export { createTelegramLinks } from './telegram/conversation.ts'
export { deleteOldUpdates } from './telegram/incoming/chat-queries.ts'
export { startTelegram } from './telegram/start.ts'
export { deleteOldVisitors } from './widget/old-visitors.ts'
export { waitingUnread } from './widget/unread-replies.ts'

/** Connects messages and tickets with their channels. Called once by each process that writes messages. */
export function connectChannels(deps: { config: Config; vault: Vault }): void {
  setOutlets([createTelegramOutlet(), createReplyNotice(deps), createEmailOutlet(deps)])
  setIsInChat(isInChat)
}

/** Emails a project's due replies that contacts have not read in the chat. */
export const sendDueReplies = (db: Db, projectId: string, deps: { vault: Vault }): Promise<number> =>
  sendUnreadReplies(db, projectId, createUnreadSending(deps))
