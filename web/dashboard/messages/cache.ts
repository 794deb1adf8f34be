import { queryClient } from '../core/query.ts'
import type { ConversationData, Message } from './queries.ts'
import { messageKeys } from './query-keys.ts'

/** Changes a message everywhere it is shown. */
export function patchMessage({ id, workspace_id }: Message, change: Partial<Message>): void {
  queryClient.setQueriesData<ConversationData>({ queryKey: messageKeys.conversations(workspace_id) }, old =>
    old?.items.some(one => one.id === id)
      ? { ...old, items: old.items.map(one => (one.id === id ? { ...one, ...change } : one)) }
      : old,
  )
}

export function removeMessage({ id, workspace_id }: Message): void {
  queryClient.setQueriesData<ConversationData>({ queryKey: messageKeys.conversations(workspace_id) }, old =>
    old?.items.some(one => one.id === id) ? { ...old, items: old.items.filter(one => one.id !== id) } : old,
  )
}
