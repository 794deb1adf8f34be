import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { dayRange } from '../tickets/day-range.ts'
import { todayKeys } from './query-keys.ts'

export type Day = AnswerOf<'/projects/{project_id}/today', 'get'>

/** Times pass without events, so the counts are also renewed every five minutes. */
const refetchMs = 5 * 60_000

export const dayQuery = (project_id: string) =>
  queryOptions({
    queryKey: todayKeys.day(project_id),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/today', {
          params: { path: { project_id }, query: dayRange() },
          signal,
        }),
      ),
    staleTime: 0,
    refetchInterval: refetchMs,
  })
