import { makeKey } from '../core/query-key.ts'

export const cannedAnswerKeys = {
  lists: (projectId: string) => makeKey('canned answers', projectId),
  list: (projectId: string, q: string) => makeKey('canned answers', projectId, q),
  answer: (projectId: string, id: string) => makeKey('canned answer', projectId, id),
}
