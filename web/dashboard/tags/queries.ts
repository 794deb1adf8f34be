import { queryOptions } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'

/** The words that tickets are filed under, as far as one list holds them. */
export const tagsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['tags', project_id],
    queryFn: async () => {
      const query = { page_size: 100, count: false }
      const path = { project_id }
      return (await take(api.GET('/projects/{project_id}/tags', { params: { path, query } }))).items
    },
  })
