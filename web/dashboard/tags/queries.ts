import { queryOptions } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'

/** The words that tickets are filed under. */
export const tagsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['tags', project_id],
    queryFn: async () => {
      const path = { project_id }
      return (await take(api.GET('/projects/{project_id}/tags', { params: { path } }))).items
    },
  })
