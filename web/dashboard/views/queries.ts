import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { mayDo, type Role } from '../projects/project.ts'
import { viewKeys } from './query-keys.ts'

export type View = Shape<'View'>

/** Whether a person may change a saved view: their own, and as an admin, those of others that they see. */
export const mayChange = (view: View, role: Role, operatorId: string): boolean =>
  mayDo(role, 'admin') || (view.owner_id === operatorId && view.visibility === 'private')

const unknown: Omit<View, 'id' | 'kind'> = {
  name: null,
  count: null,
  is_capped: false,
  filters: null,
  owner_id: null,
  is_shared: false,
  visibility: 'everyone',
  department_id: null,
  columns: null,
  density: null,
  layout: 'list',
  problems: [],
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
