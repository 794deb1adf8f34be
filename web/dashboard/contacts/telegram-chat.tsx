import { Anchor, Badge, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Go } from '../core/go.tsx'
import { text } from '../core/text.ts'
import { moment } from '../core/time.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { telegramChatQuery } from '../telegram-bots/chat-query.ts'
import type { Ticket } from '../tickets/queries.ts'
import classes from './contacts.module.css'

/** The ticket's Telegram chat: its group, its bot, and whether the bot was blocked or removed. */
export function TelegramChatSection({ ticket }: { ticket: Ticket }) {
  const { id: projectId, role } = useProject()
  const { data: chat } = useQuery({
    ...telegramChatQuery(projectId, ticket.id),
    enabled: ticket.channel !== 'email',
  })
  if (!chat) return null
  const { title, is_group, is_topic, blocked_at, bot_id, bot_username } = chat
  const { chat: heading, group, topic, bot, blockedSince, removedSince } = text.telegram
  const botName = <bdi>{`@${bot_username}`}</bdi>
  return (
    <section>
      <Title order={3} mb={6}>
        {heading}
      </Title>
      <dl className={classes.identities}>
        {is_group && (
          <div>
            <dt>{is_topic ? topic : group}</dt>
            <dd dir="auto">{title}</dd>
          </div>
        )}
        <div>
          <dt>{bot}</dt>
          <dd>
            {mayDo(role, 'admin') ? (
              <Anchor
                renderRoot={props => (
                  <Go to={`/p/${projectId}/settings/telegram-bots/${bot_id}`} {...props} />
                )}
              >
                {botName}
              </Anchor>
            ) : (
              botName
            )}
          </dd>
        </div>
      </dl>
      {blocked_at && (
        <Badge color="red" mt={6} style={{ height: 'auto', whiteSpace: 'normal' }}>
          {(is_group ? removedSince : blockedSince)(moment(blocked_at))}
        </Badge>
      )}
    </section>
  )
}
