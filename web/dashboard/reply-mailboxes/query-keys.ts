import { makeKey } from '../core/query-key.ts'

export const replyMailboxKeys = {
  choice: (projectId: string) => makeKey('reply mailboxes', projectId),
}
