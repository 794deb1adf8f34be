import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChannelState } from '../channels/channel-state.tsx'
import { useShownVersion } from '../channels/shown-version.ts'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { AccessForm } from './access-form.tsx'
import { BotDeletion } from './bot-deletion.tsx'
import { BotForm } from './bot-form.tsx'
import { BotLink } from './bot-link.tsx'
import { BotStatus } from './bot-status.tsx'
import { BotTextsSection } from './bot-texts-form.tsx'
import { botKeysOf, type TelegramBot, telegramBotQuery } from './queries.ts'

export default function TelegramBotPage() {
  const { id: project_id } = useProject()
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const bot_id = params.botId ?? ''
  const { data: bot } = useQuery(telegramBotQuery({ project_id, bot_id }))
  if (!bot) return <Loading />
  return <Settings key={bot.id} bot={bot} />
}

function Settings({ bot }: { bot: TelegramBot }) {
  const { id: project_id } = useProject()
  const back = `/p/${project_id}/settings/telegram-bots`
  const version = useShownVersion(bot, botKeysOf({ project_id, bot_id: bot.id }))
  return (
    <Page
      title={bot.name}
      about={
        <Anchor renderRoot={props => <Link to={back} {...props} />}>{pageText.telegramBots.back}</Anchor>
      }
      actions={<ChannelState channel={bot} words={pageText.telegramBots} />}
    >
      <BotLink bot={bot} />
      <BotStatus bot={bot} version={version} />
      <BotForm bot={bot} version={version} />
      <BotTextsSection bot={bot} version={version} />
      <AccessForm bot={bot} version={version} />
      <BotDeletion bot={bot} back={back} />
    </Page>
  )
}
