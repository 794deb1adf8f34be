import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, take } from '../core/api.ts'
import { setWaiting } from '../core/title.ts'

async function countUnread(project_id: string): Promise<number> {
  const query = { view: 'mine', unread: true, count: true, page_size: 1 }
  const { total } = await take(
    api.GET('/projects/{project_id}/tickets', { params: { path: { project_id }, query } }),
  )
  return total ?? 0
}

/** How many of one's own tickets have something unread, on the browser's tab. */
export function useWaiting(projectId: string | undefined): void {
  const { data = 0 } = useQuery({
    queryKey: ['unread', projectId],
    queryFn: () => countUnread(projectId!),
    enabled: projectId !== undefined,
  })
  useEffect(() => setWaiting(data), [data])
}
