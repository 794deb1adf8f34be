import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { useChange } from '../core/query.ts'
import { type Person, peopleQuery } from './queries.ts'
import { operatorKeys } from './query-keys.ts'

export interface OwnStatusChoice {
  status: Person['status']
  text?: string | null
  emoji?: string | null
  until?: string | null
}

/** One's own status in a project, and how to choose another. */
export function useOwnStatus(project_id: string, operatorId: string) {
  const { data } = useQuery({ ...peopleQuery(project_id), enabled: project_id !== '' })
  const choose = useChange({
    send: (body: OwnStatusChoice) =>
      take(api.PUT('/projects/{project_id}/me/status', { params: { path: { project_id } }, body })),
    refresh: [operatorKeys.people(project_id)],
  })
  return { own: data?.find(({ id }) => id === operatorId), choose: choose.mutateAsync }
}
