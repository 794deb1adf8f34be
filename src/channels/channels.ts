/** Channels other than the API. So far, only the widget. */

export { deleteOldVisitors } from './widget/old-visitors.ts'
export { sendReplyNotices } from './widget/reply-notices.ts'
