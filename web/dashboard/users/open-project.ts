import { preference } from '../core/preferences.ts'
import { useMe } from './me.ts'

/** The last view belongs to the previous project, so it is forgotten. */
export function rememberProject(id: string): void {
  if (preference.get('project') === id) return
  preference.set('project', id)
  preference.set('view', null)
}

/** Outside a project, for example in the account, the rail leads to the project that was open last. */
export function useOpenProject() {
  const { memberships } = useMe()
  const last = preference.get('project')
  return memberships.find(({ project }) => project.id === last) ?? memberships[0]
}
