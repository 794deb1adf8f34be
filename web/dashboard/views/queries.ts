import { queryOptions } from '@tanstack/react-query'
import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
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
  version: null,
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

type ViewChange =
  paths['/projects/{project_id}/views/{view_id}']['patch']['requestBody']['content']['application/json']

/**
 * Changes a saved view. Fails with SETTINGS_CHANGED if somebody else has since changed the same properties; other changes do not
 * matter, because only `body` is saved.
 */
export async function changeView(
  project_id: string,
  base: View,
  body: ViewChange,
  isSame: (current: View) => boolean,
): Promise<View> {
  const params = { path: { project_id, view_id: base.id } }
  const headers = { 'if-match': `"${base.version}"` }
  try {
    return await take(api.PATCH('/projects/{project_id}/views/{view_id}', { params, headers, body }))
  } catch (thrown) {
    const { code, detail } = asFailure(thrown)
    if (code !== 'SETTINGS_CHANGED') throw thrown
    const { current } = detail as { current: View }
    if (!isSame(current)) throw thrown
    return changeView(project_id, current, body, isSame)
  }
}
