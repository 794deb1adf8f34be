import { Anchor, Group, Title } from '@mantine/core'
import { ChannelAvatar } from '../channels/channel-avatar.tsx'
import { channelPictureOf, useCustomChannel } from '../channels/custom-channels.ts'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import type { Ticket } from '../tickets/queries.ts'

/** The ticket's custom channel, with a link to its settings for admins. */
export function CustomChannelSection({ ticket }: { ticket: Ticket }) {
  const { id: projectId, role } = useProject()
  const channel = useCustomChannel(projectId, ticket.channel)
  if (!channel) return null
  const title = <bdi>{channel.title}</bdi>
  const page = `/p/${projectId}/settings/channels/${channel.id}`
  return (
    <section>
      <Title order={3} mb={6}>
        {text.customTickets.channel}
      </Title>
      <Group gap="xs" wrap="nowrap" style={{ overflowWrap: 'anywhere' }}>
        <ChannelAvatar {...channel} picture={channelPictureOf(projectId, channel)} size={20} />
        {mayDo(role, 'admin') ? (
          <Anchor renderRoot={props => <Go to={page} {...props} />}>{title}</Anchor>
        ) : (
          title
        )}
      </Group>
    </section>
  )
}
