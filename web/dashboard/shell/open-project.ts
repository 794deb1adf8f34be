import { preference } from '../core/preferences.ts'
import { useMe } from '../users/me.ts'

/** The view that was open last is one of the project before. */
export function rememberProject(id: string): void {
  if (preference.get('project') === id) return
  preference.set('project', id)
  preference.set('view', null)
}

/** Outside of a project, as in the account, the rail leads into the one that was open last. */
export function useOpenProject() {
  const { memberships } = useMe()
  const last = preference.get('project')
  return memberships.find(({ project }) => project.id === last) ?? memberships[0]
}
