import { PuzzlePieceIcon } from '@heroicons/react/20/solid'
import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChannelAvatar } from '../channels/channel-avatar.tsx'
import { ChannelState } from '../channels/channel-state.tsx'
import { ChannelsPage } from '../channels/channels-page.tsx'
import {
  type CustomChannel,
  channelOf,
  channelPictureOf,
  channelPollMs,
  customChannelsQuery,
} from '../channels/custom-channels.ts'
import { Empty } from '../core/empty.tsx'
import { pageText } from '../core/page-text.ts'
import { unlessShown } from '../core/query.ts'
import { Row } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { LastMessage, WaitingReplies } from './channel-health.tsx'
import { GuideLink } from './guide-link.tsx'

export default function CustomChannelsPage() {
  const { id } = useProject()
  const { data: channels } = useQuery({
    ...customChannelsQuery(id),
    refetchInterval: channelPollMs,
    throwOnError: unlessShown,
  })
  return (
    <ChannelsPage
      words={pageText.customChannels}
      icon={PuzzlePieceIcon}
      adding={`/p/${id}/settings/channels/add`}
      commandId="add custom channel"
      rows={channels}
      showRow={channel => <ChannelRow key={channel.id} channel={channel} />}
      empty={<NoChannels />}
    />
  )
}

function NoChannels() {
  const { none, noneAbout } = pageText.customChannels
  return (
    <Empty icon={PuzzlePieceIcon} title={none} about={noneAbout}>
      <GuideLink />
    </Empty>
  )
}

function ChannelRow({ channel }: { channel: CustomChannel }) {
  const { id: projectId } = useProject()
  const { id, name, title, color } = channel
  return (
    <Row aside={<ChannelState channel={channel} words={pageText.customChannels} />}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ChannelAvatar title={title} color={color} picture={channelPictureOf(projectId, channel)} size={40} />
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Anchor
            fw={550}
            renderRoot={props => <Link to={`/p/${projectId}/settings/channels/${id}`} {...props} />}
          >
            <bdi>{title}</bdi>
          </Anchor>
          <Text size="sm" c="dimmed">
            <bdi>{channelOf(name)}</bdi>
            {' · '}
            <LastMessage channel={channel} />
          </Text>
          <WaitingReplies channel={channel} />
        </div>
      </Group>
    </Row>
  )
}
