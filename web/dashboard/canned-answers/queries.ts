import { queryOptions } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { asFailure, Failure } from '../core/failure.ts'
import type { CannedAnswer } from '../messages/canned.ts'
import { cannedAnswerKeys } from './query-keys.ts'

const list = '/projects/{project_id}/canned-answers'
const answerPath = '/projects/{project_id}/canned-answers/{canned_answer_id}'

export interface AnswerValues extends Record<string, unknown> {
  shortcut: string
  title: string
  content: string
  scope: CannedAnswer['scope']
  department_id: string | null
}

export const answerValuesOf = (answer?: CannedAnswer): AnswerValues => ({
  shortcut: answer?.shortcut ?? '',
  title: answer?.title ?? '',
  content: answer?.content ?? '',
  scope: answer?.scope ?? 'personal',
  department_id: answer?.department_id ?? null,
})

/** Always fetched again, so that the form starts with the current version. */
export const answerQuery = (project_id: string, id: string) =>
  queryOptions({
    queryKey: cannedAnswerKeys.answer(project_id, id),
    queryFn: ({ signal }) =>
      take(api.GET(answerPath, { params: { path: { project_id, canned_answer_id: id } }, signal })),
    gcTime: 0,
  })

export const create = (
  project_id: string,
  { department_id, ...values }: AnswerValues,
): Promise<CannedAnswer> => {
  const body = { ...values, ...(values.scope === 'shared' && { department_id }) }
  return take(api.POST(list, { params: { path: { project_id } }, body }))
}

/** Fails with the current version if somebody else has saved since `version`. */
export async function change(
  project_id: string,
  { id, version }: Pick<CannedAnswer, 'id' | 'version'>,
  { scope, department_id, ...values }: AnswerValues,
): Promise<CannedAnswer> {
  const params = { path: { project_id, canned_answer_id: id } }
  const body = { ...values, ...(scope === 'shared' && { department_id }) }
  try {
    return await take(api.PATCH(answerPath, { params, headers: { 'if-match': `"${version}"` }, body }))
  } catch (thrown) {
    if (asFailure(thrown).status !== 412) throw thrown
    const current = await take(api.GET(answerPath, { params }))
    throw new Failure(412, { error_code: 'SETTINGS_CHANGED', detail: { current } })
  }
}

export const remove = (project_id: string, id: string) =>
  take(api.DELETE(answerPath, { params: { path: { project_id, canned_answer_id: id } } }))
