import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { apiKeyKeys } from './query-keys.ts'

export type ApiKey = AnswerOf<'/projects/{project_id}/keys', 'get'>['items'][number]

export const keysQuery = (project_id: string) =>
  queryOptions({
    queryKey: apiKeyKeys.list(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/keys', { params: { path: { project_id } } }))).items,
    throwOnError: unlessShown,
  })
