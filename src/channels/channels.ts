/** Where conversations come from beside the API: so far, the widget. */

export { deleteOldVisitors } from './widget/old-visitors.ts'
export { sendReplyNotices } from './widget/reply-notices.ts'
