import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { importKeys } from './query-keys.ts'

export type ImportedSource = AnswerOf<'/projects/{project_id}/imports', 'get'>['items'][number]

/** Polled while an import is being removed. */
export const importsQuery = (project_id: string) =>
  queryOptions({
    queryKey: importKeys.list(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/imports', { params: { path: { project_id } } }))).items,
    refetchInterval: ({ state }) => (state.data?.some(one => one.state === 'removing') ? 1_500 : false),
    throwOnError: unlessShown,
  })
