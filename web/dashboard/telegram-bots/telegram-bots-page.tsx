import { PaperAirplaneIcon } from '@heroicons/react/20/solid'
import { Anchor, Group, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChannelState, wordFault } from '../channels/channel-state.tsx'
import { ChannelsPage } from '../channels/channels-page.tsx'
import { Avatar } from '../core/avatar.tsx'
import { Empty } from '../core/empty.tsx'
import { pageText } from '../core/page-text.ts'
import { Row } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { LastReceived } from './last-received.tsx'
import { pictureOf, type TelegramBot, telegramBotsQuery } from './queries.ts'

export default function TelegramBotsPage() {
  const { id } = useProject()
  const { data: bots } = useQuery(telegramBotsQuery(id))
  return (
    <ChannelsPage
      words={pageText.telegramBots}
      icon={PaperAirplaneIcon}
      adding={`/p/${id}/settings/telegram-bots/add`}
      commandId="add telegram bot"
      rows={bots}
      showRow={bot => <BotRow key={bot.id} bot={bot} />}
      empty={<NoBots />}
    />
  )
}

/** Explains where a bot comes from. */
function NoBots() {
  const { none, noneAbout, botFather, addHere } = pageText.telegramBots
  return (
    <Empty icon={PaperAirplaneIcon} title={none} about={noneAbout}>
      <List type="ordered" mt="sm" maw="46ch" spacing={6}>
        {[...botFather, addHere].map(step => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
    </Empty>
  )
}

function BotRow({ bot }: { bot: TelegramBot }) {
  const { id: projectId } = useProject()
  const { id, name, username, link, state, last_error, failed_updates } = bot
  const { openInTelegram, openBot, hasFailed } = pageText.telegramBots
  return (
    <Row aside={<ChannelState channel={bot} words={pageText.telegramBots} />}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Avatar name={name} src={pictureOf(projectId, bot)} size={40} />
        <div style={{ minWidth: 0 }}>
          <Anchor
            fw={550}
            renderRoot={props => <Link to={`/p/${projectId}/settings/telegram-bots/${id}`} {...props} />}
          >
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="sm" c="dimmed">
            <bdi>{`@${username}`}</bdi>
            {' · '}
            <LastReceived bot={bot} />
          </Text>
          {state !== 'paused' && last_error && (
            <Text size="sm">{wordFault(pageText.telegramBots, last_error)}</Text>
          )}
          {failed_updates && <Text size="sm">{hasFailed(failed_updates.count)}</Text>}
          <Anchor
            size="sm"
            py={4}
            href={link}
            target="_blank"
            rel="noreferrer"
            aria-label={openBot(username)}
          >
            {openInTelegram}
          </Anchor>
        </div>
      </Group>
    </Row>
  )
}
