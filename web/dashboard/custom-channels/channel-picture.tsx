import { Group } from '@mantine/core'
import { ChannelAvatar } from '../channels/channel-avatar.tsx'
import { type CustomChannel, channelPictureOf } from '../channels/custom-channels.ts'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { PictureButtons } from '../core/picture-buttons.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type ChannelVersion, channelPath, setChannelPicture } from './queries.ts'

interface Props {
  channel: CustomChannel
  version: ChannelVersion
}

/** A picture is uploaded as soon as it is chosen. */
export function ChannelPicture({ channel, version }: Props) {
  const { id: project_id } = useProject()
  const path = { project_id, channel_id: channel.id }
  const onDone = (saved: CustomChannel) => {
    version.save(saved)
    showNotice(text.shell.saved)
  }
  const set = useChange({ send: (file: File) => setChannelPicture(path, file), onDone })
  const remove = useChange({
    send: () => take(api.DELETE(`${channelPath}/picture`, { params: { path } })),
    onDone,
  })
  const { picture, pictureAbout, choosePicture, removePicture } = pageText.customChannels
  return (
    <Section title={picture} about={pictureAbout}>
      <Group>
        <ChannelAvatar {...channel} picture={channelPictureOf(project_id, channel)} size={48} />
        <PictureButtons
          words={{ choose: choosePicture, remove: removePicture }}
          onChoose={set.mutate}
          isChoosing={set.isPending}
          onRemove={channel.has_picture ? remove.mutate : undefined}
          isRemoving={remove.isPending}
        />
      </Group>
    </Section>
  )
}
