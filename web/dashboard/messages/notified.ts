import { isLost } from '../core/connection.ts'
import { queryClient, showSaved } from '../core/query.ts'
import { fetchPeople, peopleQuery } from '../operators/queries.ts'
import type { DraftPlace, MessageDraft } from './draft.ts'
import { mentionedIn } from './mentions.ts'

/**
 * Fetches the people before a note that may mention somebody is sent. Without a connection it does not wait: the query would
 * repeat a failed request for minutes, and here it is made once.
 */
export async function loadMentionable({ projectId, isInternal }: DraftPlace, content: string): Promise<void> {
  const { queryKey } = peopleQuery(projectId)
  if (!isInternal || !content.includes('@') || isLost() || queryClient.getQueryData(queryKey)) return
  await fetchPeople(projectId).then(
    people => showSaved(queryClient, queryKey, people),
    () => null,
  )
}

/** The people whom a note notifies. */
export function notifiedIn({ projectId }: DraftPlace, { content, mentions }: MessageDraft): string[] {
  const people = queryClient.getQueryData(peopleQuery(projectId).queryKey) ?? []
  return mentionedIn(content, mentions, people)
}
