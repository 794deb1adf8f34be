import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { knowledgeKeys } from './query-keys.ts'

/** The published articles that match these words. */
export const articlesQuery = (project_id: string, q: string) =>
  queryOptions({
    queryKey: knowledgeKeys.found(project_id, q),
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { q, page_size: 5, count: false } }
      return (await take(api.GET('/projects/{project_id}/knowledge-base/articles', { params, signal }))).items
    },
    placeholderData: keepPreviousData,
  })
