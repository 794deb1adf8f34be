import { queryOptions } from '@tanstack/react-query'
import { type CustomChannel, channelPollMs } from '../channels/custom-channels.ts'
import type { ShownVersion } from '../channels/shown-version.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { shrinkPicture } from '../core/shrink-picture.ts'
import { customChannelKeys } from './query-keys.ts'

export type NewCustomChannel = Shape<'NewCustomChannel'>
export type CustomChannelChange = Shape<'CustomChannelChange'>

export const channelPath = '/projects/{project_id}/channels/{channel_id}'

interface Place {
  project_id: string
  channel_id: string
}

export const customChannelQuery = (path: Place) =>
  queryOptions({
    queryKey: customChannelKeys.channel(path),
    queryFn: () => take(api.GET(channelPath, { params: { path } })),
    refetchInterval: channelPollMs,
    throwOnError: unlessShown,
  })

export type ChannelVersion = ShownVersion<CustomChannel>

/** The keys of a channel and of the project's list of channels. */
export const channelKeysOf = ({ project_id, channel_id }: Place) => ({
  row: customChannelQuery({ project_id, channel_id }).queryKey,
  list: customChannelKeys.all(project_id),
})

export const createCustomChannel = (project_id: string, body: NewCustomChannel): Promise<CustomChannel> =>
  take(api.POST('/projects/{project_id}/channels', { params: { path: { project_id } }, body }))

/** Fails with SETTINGS_CHANGED if somebody else has saved since `version`. */
export const changeCustomChannel = (
  path: Place,
  version: ChannelVersion,
  body: CustomChannelChange,
): Promise<CustomChannel> =>
  take(api.PATCH(channelPath, { params: { path }, headers: { 'if-match': `"${version.current()}"` }, body }))

export const setChannelPicture = async (path: Place, file: File): Promise<CustomChannel> =>
  take(
    api.PUT(`${channelPath}/picture`, {
      params: { path },
      body: { content: await shrinkPicture(file) },
    }),
  )
