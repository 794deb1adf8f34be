import { queryOptions } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import type { Message } from './queries.ts'
import { messageKeys } from './query-keys.ts'

export type Email = NonNullable<Message['email']>

/** Headers, quote, and whether the original is stored. */
/** When the email is read again, the version of the message changes, and perhaps its quoted text. */
export const emailQuery = ({ workspace_id: project_id, id: message_id, version }: Message) =>
  queryOptions({
    queryKey: messageKeys.email(project_id, message_id, version),
    queryFn: () =>
      take(
        api.GET('/projects/{project_id}/messages/{message_id}/email', {
          params: { path: { project_id, message_id } },
        }),
      ),
    staleTime: 60_000,
  })

export const messageUrl = ({ workspace_id, id }: Message, end: string): string =>
  `/api/dashboard/projects/${workspace_id}/messages/${id}/${end}`

/** The source is shown up to this size. */
const maxShownBytes = 256 * 1024

export interface ShownSource {
  text: string
  isCut: boolean
}

/** `url` is that of the original email. */
export const sourceQuery = (url: string) =>
  queryOptions({
    queryKey: messageKeys.source(url),
    queryFn: async (): Promise<ShownSource> => {
      const headers = { range: `bytes=0-${maxShownBytes - 1}` }
      const response = await fetch(url, { headers })
      if (!response.ok) throw new Error(`Status ${response.status}`)
      const size = Number(response.headers.get('content-range')?.split('/')[1] ?? 0)
      return { text: await response.text(), isCut: size > maxShownBytes }
    },
    staleTime: 60_000,
    retry: false,
  })

export const imageSendersQuery = (project_id: string) =>
  queryOptions({
    queryKey: messageKeys.imageSenders(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/image-senders', { params: { path: { project_id } } })))
        .items,
    staleTime: 300_000,
  })

/** Remembers whether the remote images of a sender are loaded. */
export async function rememberImages(project_id: string, address: string, isOn: boolean): Promise<void> {
  const options = { params: { path: { project_id, address } } }
  const url = '/projects/{project_id}/image-senders/{address}'
  await take(isOn ? api.PUT(url, options) : api.DELETE(url, options))
  await queryClient.invalidateQueries({ queryKey: messageKeys.imageSenders(project_id) })
}
