import type { Config } from '../core/config.ts'
import type { Vault } from '../core/crypto.ts'
import { setOutlets } from '../messages/messages.ts'
import { setIsInChat } from '../tickets/tickets.ts'
import { createEmailOutlet } from './email/outgoing/outlet.ts'
import { createReplyNotice, isInChat } from './widget/reply-notices.ts'

/** Channels other than the API: the widget and e-mail. */

export { deleteOldContents } from './email/incoming/old-contents.ts'
export { reportOutage } from './email/mailboxes/outages.ts'
export { deleteExpiredSignIns } from './email/set-up/sign-in-queries.ts'
export { startEmail } from './email/start.ts'
export { deleteOldVisitors } from './widget/old-visitors.ts'

/** Connects messages and tickets with their channels. Called once by each process that writes messages. */
export function connectChannels(deps: { config: Config; vault: Vault }): void {
  setOutlets([createReplyNotice(deps), createEmailOutlet(deps)])
  setIsInChat(isInChat)
}
