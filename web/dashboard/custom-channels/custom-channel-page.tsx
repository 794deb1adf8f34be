import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChannelState } from '../channels/channel-state.tsx'
import { type CustomChannel, channelOf, isLate } from '../channels/custom-channels.ts'
import { useShownVersion } from '../channels/shown-version.ts'
import { PauseButton } from '../channels/status-section.tsx'
import { api, take } from '../core/api.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { ChannelDeletion } from './channel-deletion.tsx'
import { ChannelForm } from './channel-form.tsx'
import { ChannelProblem, LastMessage, LastRequest, WaitingReplies } from './channel-health.tsx'
import { ChannelPicture } from './channel-picture.tsx'
import { ProgramSteps } from './program-steps.tsx'
import { type ChannelVersion, channelKeysOf, channelPath, customChannelQuery } from './queries.ts'

export default function CustomChannelPage() {
  const { id: project_id } = useProject()
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const { data: channel } = useQuery(customChannelQuery({ project_id, channel_id: params.channelId ?? '' }))
  if (!channel) return <Loading />
  return <Settings key={channel.id} channel={channel} />
}

function Settings({ channel }: { channel: CustomChannel }) {
  const { id: project_id } = useProject()
  const back = `/p/${project_id}/settings/channels`
  const version = useShownVersion(channel, channelKeysOf({ project_id, channel_id: channel.id }))
  const { back: backLabel } = pageText.customChannels
  return (
    <Page
      title={channel.title}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{backLabel}</Anchor>}
      actions={<ChannelState channel={channel} words={pageText.customChannels} />}
    >
      <ChannelStatus channel={channel} version={version} />
      <ProgramSteps channel={channel} />
      <ChannelForm channel={channel} version={version} />
      <ChannelPicture channel={channel} version={version} />
      <ChannelDeletion channel={channel} back={back} />
    </Page>
  )
}

/** Whether the program picks up replies, and a button that pauses the channel. */
function ChannelStatus({ channel, version }: { channel: CustomChannel; version: ChannelVersion }) {
  const params = { path: { project_id: useProject().id, channel_id: channel.id } }
  return (
    <Section
      title={pageText.customChannels.status}
      about={
        <>
          <bdi>{channelOf(channel.name)}</bdi>
          {' · '}
          <LastMessage channel={channel} />
          {' · '}
          <LastRequest channel={channel} />
        </>
      }
    >
      <ChannelProblem channel={channel} />
      <Stack align="flex-start" gap="sm">
        {!isLate(channel) && <WaitingReplies channel={channel} />}
        <PauseButton
          channel={channel}
          version={version}
          words={pageText.customChannels}
          pause={() => take(api.POST(`${channelPath}/pause`, { params }))}
          resume={() => take(api.POST(`${channelPath}/resume`, { params }))}
        />
      </Stack>
    </Section>
  )
}
