import type { CustomChannel } from '../channels/custom-channels.ts'
import { DeletionSection } from '../channels/deletion-section.tsx'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { channelKeysOf, channelPath } from './queries.ts'

interface Props {
  channel: CustomChannel
  back: string
}

/** Deletes the channel. The dialog says what will happen to its tickets and waiting replies. */
export function ChannelDeletion({ channel: { id: channel_id, title }, back }: Props) {
  const path = { project_id: useProject().id, channel_id }
  const words = pageText.customChannels
  return (
    <DeletionSection
      words={words}
      question={words.removeTitle(title)}
      keys={channelKeysOf(path)}
      back={back}
      send={() => take(api.DELETE(channelPath, { params: { path } }))}
    />
  )
}
