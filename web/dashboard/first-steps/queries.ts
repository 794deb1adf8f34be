import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { firstStepKeys } from './query-keys.ts'

export type FirstStepList = AnswerOf<'/projects/{project_id}/first-steps', 'get'>
export type FirstStep = FirstStepList['items'][number]['name']

export const isFinished = (list: FirstStepList): boolean => list.items.every(({ is_done }) => is_done)

/** There is no event for a visit of a website, so this is requested again from time to time until all steps are done. */
const refetchMs = 15_000

export const firstStepsQuery = (project_id: string) =>
  queryOptions({
    queryKey: firstStepKeys.list(project_id),
    queryFn: ({ signal }) =>
      take(api.GET('/projects/{project_id}/first-steps', { params: { path: { project_id } }, signal })),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && (!data.is_shown || isFinished(data)) ? false : refetchMs,
  })
