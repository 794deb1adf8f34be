import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { dateOf } from '../core/time.ts'
import { customChannelKeys } from '../custom-channels/query-keys.ts'

export type CustomChannel = Shape<'CustomChannel'>

/** How often channels are fetched again, because requests from a channel's program change it without an event. */
export const channelPollMs = 5_000

export const customChannelsQuery = (project_id: string) =>
  queryOptions({
    queryKey: customChannelKeys.all(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/channels', { params: { path: { project_id } } }))).items,
    staleTime: 60_000,
  })

/** The `channel` of a custom channel's tickets and messages. */
export const channelOf = (name: string): string => `custom:${name}`

export const customNameOf = (channel: string): string => channel.slice(channelOf('').length)

export const isCustom = (channel: string): boolean => channel.startsWith(channelOf(''))

/** The custom channel of a ticket or a message; null if it was deleted, undefined for other channels and while it is loading. */
export function useCustomChannel(projectId: string, channel: string): CustomChannel | null | undefined {
  const { data } = useQuery({ ...customChannelsQuery(projectId), enabled: isCustom(channel) })
  return data && isCustom(channel)
    ? (data.find(({ name }) => channelOf(name) === channel) ?? null)
    : undefined
}

/** The address of the channel's picture, or null if it has none. A change of the picture changes the version. */
export const channelPictureOf = (
  projectId: string,
  { id, has_picture, version }: CustomChannel,
): string | null =>
  has_picture ? `/api/dashboard/projects/${projectId}/channels/${id}/picture?version=${version}` : null

/** How long replies may wait for the program before people are warned. */
const lateMs = 15 * 60_000

export const isLate = ({ state, waiting_since }: CustomChannel): boolean =>
  state === 'active' && waiting_since !== null && Date.now() - dateOf(waiting_since).getTime() > lateMs
