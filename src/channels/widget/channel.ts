import type { Channel } from '../channel.ts'
import { createUnreadSending } from '../email/outgoing/send-unread.ts'
import { widgetDashboard } from './dashboard.ts'
import { deleteOldVisitors } from './old-visitors.ts'
import { createReplyNotice } from './reply-notices.ts'
import { sendUnreadReplies, waitingUnread } from './unread-replies.ts'

/** `src/widget.ts` mounts the visitors' operations, because they have their own checks. */
export const widgetChannel: Channel = {
  createOutlet: createReplyNotice,
  dashboard: widgetDashboard,
  jobs: () => [{ name: 'delete inactive visitors', everyMs: 600_000, run: db => deleteOldVisitors(db) }],
  dueJobs: deps => [
    {
      name: 'send unread replies by email',
      kind: 'unread_replies',
      waiting: waitingUnread,
      run: (db, projectId) => sendUnreadReplies(db, projectId, createUnreadSending(deps)),
    },
  ],
}
