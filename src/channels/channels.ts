/** Channels other than the API: the widget and e-mail. */

export { finishMail, type OnMail, setOnMail } from './email/handle.ts'
export { type ClaimedMail, deleteOldContents, type MailResult } from './email/incoming-queries.ts'
export { startEmail } from './email/start.ts'
export { deleteOldVisitors } from './widget/old-visitors.ts'
export { sendReplyNotices } from './widget/reply-notices.ts'
