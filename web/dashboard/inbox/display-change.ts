import { api, take } from '../core/api.ts'
import { preference } from '../core/preferences.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { mayChange, type View, viewsQuery } from '../views/queries.ts'
import { type Display, placeOf } from './display.ts'
import { useView } from './inbox.ts'

/** Changes the display: in the saved view if the reader may change it, otherwise in this browser. */
export function useDisplayChange(): (change: Partial<Display>) => void {
  const { id: project_id, role, operatorId } = useProject()
  const view = useView()
  const { queryKey } = viewsQuery(project_id)
  const save = useChange({
    send: (body: Partial<Display>) => {
      const params = { path: { project_id, view_id: view?.id ?? '' } }
      return take(api.PATCH('/projects/{project_id}/views/{view_id}', { params, body }))
    },
    expect: [
      {
        key: queryKey,
        next: (old: View[], body) => old.map(one => (one.id === view?.id ? { ...one, ...body } : one)),
      },
    ],
    refresh: [queryKey],
  })
  return change => {
    if (view?.kind === 'saved' && mayChange(view, role, operatorId)) return save.mutate(change)
    const displays = preference.get('displays')
    const place = placeOf(view)
    preference.set('displays', { ...displays, [place]: { ...displays[place], ...change } })
  }
}
