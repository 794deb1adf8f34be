import { useParams } from '@tanstack/react-router'
import { queryClient } from '../core/query.ts'
import { type Membership, meQuery, useMe } from '../users/me.ts'

export type Role = Membership['role']

const order: Role[] = ['operator', 'admin', 'owner']

/** Whether a role includes the needed role. */
export const mayDo = (role: Role, needed: Role): boolean => order.indexOf(role) >= order.indexOf(needed)

/** The project in the URL, of which the reader is a member. */
export function useProject() {
  const { projectId } = useParams({ strict: false })
  const membership = useMe().memberships.find(({ project }) => project.id === projectId)
  if (!membership) throw new Error('No project is open here')
  const { project, role, operator_id, requires_second_factor } = membership
  return { ...project, role, operatorId: operator_id, requiresSecondFactor: requires_second_factor }
}

/** The id of the signed-in person as an operator of the project; an empty string if they are no longer a member. */
export const findOwnOperatorId = (projectId: string): string =>
  queryClient.getQueryData(meQuery.queryKey)?.memberships.find(({ project }) => project.id === projectId)
    ?.operator_id ?? ''
