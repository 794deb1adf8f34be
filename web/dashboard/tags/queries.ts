import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { tagKeys } from './query-keys.ts'

export type Tag = AnswerOf<'/projects/{project_id}/tags', 'get'>['items'][number]

/** Fetched again while a tag is being changed. */
export const tagsQuery = (project_id: string) =>
  queryOptions({
    queryKey: tagKeys.list(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/tags', { params: { path: { project_id } } }))).items,
    refetchInterval: ({ state }) => (state.data?.some(tag => tag.is_changing) ? 2_000 : false),
    throwOnError: unlessShown,
  })
