import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { setWaiting } from '../core/title.ts'
import { departmentsQuery } from '../operators/queries.ts'
import { meQuery } from '../users/me.ts'
import { notificationKeys } from './query-keys.ts'

async function count(project_id: string, which: { view: string; department_id?: string[] }): Promise<number> {
  const query = { ...which, unread: true, count: true, page_size: 1 }
  const { total } = await take(
    api.GET('/projects/{project_id}/tickets', { params: { path: { project_id }, query } }),
  )
  return total ?? 0
}

/** The API accepts fifty, of which one is `none`. */
const maxDepartments = 49

/** Counts one's own tickets, and unassigned ones of one's departments or without a department. */
async function countUnread(project_id: string): Promise<number> {
  const own = queryClient
    .getQueryData(meQuery.queryKey)
    ?.memberships.find(({ project }) => project.id === project_id)
  const departments = (await queryClient.ensureQueryData(departmentsQuery(project_id)))
    .filter(({ operator_ids }) => operator_ids.includes(own?.operator_id ?? ''))
    .map(({ id }) => id)
    .slice(0, maxDepartments)
  const [mine, unassigned] = await Promise.all([
    count(project_id, { view: 'mine' }),
    count(project_id, { view: 'unassigned', department_id: [...departments, 'none'] }),
  ])
  return mine + unassigned
}

/** Shows the number of unread tickets for this person in the title of the browser tab. */
export function useWaiting(projectId: string | undefined): void {
  const { data = 0 } = useQuery({
    queryKey: notificationKeys.unread(projectId),
    queryFn: () => countUnread(projectId!),
    enabled: projectId !== undefined,
  })
  useEffect(() => setWaiting(data), [data])
}
