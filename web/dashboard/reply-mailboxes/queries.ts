import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { replyMailboxKeys } from './query-keys.ts'

export type ReplyMailboxes = Shape<'ReplyMailboxes'>

const path = '/projects/{project_id}/reply-mailboxes'

export const replyMailboxesQuery = (project_id: string) =>
  queryOptions({
    queryKey: replyMailboxKeys.choice(project_id),
    queryFn: () => take(api.GET(path, { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

export const changeReplyMailboxes = (project_id: string, body: ReplyMailboxes): Promise<ReplyMailboxes> =>
  take(api.PATCH(path, { params: { path: { project_id } }, body }))
