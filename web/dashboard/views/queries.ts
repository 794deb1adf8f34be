import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { viewKeys } from './query-keys.ts'

export type View = Shape<'View'>

const unknown = {
  name: null,
  count: null,
  is_capped: false,
  filters: null,
  owner_id: null,
  is_shared: false,
  created_at: null,
}
const always: View['kind'][] = ['mine', 'unassigned', 'mentions', 'open', 'snoozed', 'closed', 'all', 'spam']

/** The built-in views of every project, shown until the server has counted. */
const firstViews: View[] = always.map(kind => ({ ...unknown, id: kind, kind }))

export const viewsQuery = (project_id: string) =>
  queryOptions({
    queryKey: viewKeys.list(project_id),
    queryFn: async ({ signal }) =>
      (await take(api.GET('/projects/{project_id}/views', { params: { path: { project_id } }, signal })))
        .items,
    placeholderData: firstViews,
  })
