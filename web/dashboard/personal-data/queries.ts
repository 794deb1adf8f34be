import { queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { deletionKeys } from './query-keys.ts'

export type DataDeletion = Shape<'DataDeletion'>
export type DeletionPreview = Shape<'DeletionPreview'>

/** A ticket or a contact. */
export interface Deletable {
  projectId: string
  kind: 'ticket' | 'contact'
  id: string
}

const readPreview = ({ projectId: project_id, kind, id }: Deletable): Promise<DeletionPreview> =>
  kind === 'ticket'
    ? take(
        api.GET('/projects/{project_id}/tickets/{ticket_id}/deletion-preview', {
          params: { path: { project_id, ticket_id: id } },
        }),
      )
    : take(
        api.GET('/projects/{project_id}/contacts/{contact_id}/deletion-preview', {
          params: { path: { project_id, contact_id: id } },
        }),
      )

export const previewQuery = (record: Deletable) =>
  queryOptions({
    queryKey: deletionKeys.preview(record.projectId, record.kind, record.id),
    queryFn: () => readPreview(record),
    staleTime: 0,
  })

export const sendDeletion = ({ projectId: project_id, kind, id }: Deletable): Promise<DataDeletion> =>
  kind === 'ticket'
    ? take(
        api.DELETE('/projects/{project_id}/tickets/{ticket_id}', {
          params: { path: { project_id, ticket_id: id } },
        }),
      )
    : take(
        api.DELETE('/projects/{project_id}/contacts/{contact_id}', {
          params: { path: { project_id, contact_id: id } },
        }),
      )

const pollMs = 500

/** Polled until the deletion is done. */
export const deletionQuery = (project_id: string, begun: DataDeletion) =>
  queryOptions({
    queryKey: deletionKeys.deletion(project_id, begun.id),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/deletions/{deletion_id}', {
          params: { path: { project_id, deletion_id: begun.id } },
          signal,
        }),
      ),
    initialData: begun,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : pollMs),
  })
