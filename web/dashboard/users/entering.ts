import { redirect } from '@tanstack/react-router'
import { asFailure, Failure } from '../core/failure.ts'
import { preference } from '../core/preferences.ts'
import { queryClient } from '../core/query.ts'
import { type Me, meQuery } from './me.ts'
import { rememberProject } from './open-project.ts'

/** Checks before a page is shown. */

/** The signed-in person. Others are sent to sign in, and return to this address afterwards. */
export async function requireSession(address: string): Promise<Me> {
  try {
    return await queryClient.ensureQueryData(meQuery)
  } catch (thrown) {
    if (asFailure(thrown).status !== 401) throw thrown
    const next = address === '/' ? undefined : address
    throw redirect({ to: '/sign-in', search: { next }, replace: true })
  }
}

/** Refuses a project that the person may not open. */
export function enterProject(me: Me, projectId: string): void {
  const membership = me.memberships.find(one => one.project.id === projectId)
  if (!membership) throw redirect({ to: '/', replace: true })
  if (membership.is_suspended) throw new Failure(403, { error_code: 'PROJECT_SUSPENDED' })
  if (membership.requires_second_factor && !me.user.meets_second_factor)
    throw redirect({ href: '/account/security', replace: true })
  rememberProject(projectId)
}

/** Opens the project that was open last, or the first one. */
export function openLastProject({ memberships }: Me): void {
  const ids = memberships.map(({ project }) => project.id)
  const projectId = ids.find(id => id === preference.get('project')) ?? ids[0]
  if (projectId) throw redirect({ to: '/p/$projectId/inbox', params: { projectId }, replace: true })
}
