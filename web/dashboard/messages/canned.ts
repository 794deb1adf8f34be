import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cannedAnswerKeys } from '../canned-answers/query-keys.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { type DraftPlace, draftOf, isNewEmail } from './draft.ts'

export type CannedAnswer = Shape<'CannedAnswer'>
/** Without its text. */
export type ListedCannedAnswer = Shape<'ListedCannedAnswer'>

export const cannedQuery = (project_id: string, q: string) =>
  queryOptions({
    queryKey: cannedAnswerKeys.list(project_id, q),
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { q: q || undefined } }
      return (await take(api.GET('/projects/{project_id}/canned-answers', { params, signal }))).items
    },
    placeholderData: keepPreviousData,
  })

function sourceOf(place: DraftPlace) {
  if (!isNewEmail(place)) return { ticket_id: place.ticketId }
  const { email } = draftOf(place).get()
  const address = email ? email.to[0] : place.address
  return { contact_email: address ?? null, subject: email?.subject || null }
}

/**
 * The canned answer with its placeholders filled; null if that failed, after showing the error.
 */
export async function fillCanned(place: DraftPlace, id: string): Promise<string | null> {
  const path = { project_id: place.projectId, canned_answer_id: id }
  try {
    const filled = await take(
      api.POST('/projects/{project_id}/canned-answers/{canned_answer_id}/fill', {
        params: { path },
        body: sourceOf(place),
      }),
    )
    if (filled.unknown.length > 0) showNotice(text.composer.cannedUnknown(filled.unknown.join(', ')))
    return filled.content
  } catch (failure) {
    showFailure(asFailure(failure))
    return null
  }
}
