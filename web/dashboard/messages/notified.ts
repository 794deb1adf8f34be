import { queryClient } from '../core/query.ts'
import { peopleQuery } from '../operators/queries.ts'
import type { DraftPlace, MessageDraft } from './draft.ts'
import { mentionedIn } from './mentions.ts'

/** The people whom a note notifies. */
export function notifiedIn({ projectId }: DraftPlace, { content, mentions }: MessageDraft): string[] {
  const people = queryClient.getQueryData(peopleQuery(projectId).queryKey) ?? []
  return mentionedIn(content, mentions, people)
}
