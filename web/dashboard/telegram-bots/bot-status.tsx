import { Alert, Text } from '@mantine/core'
import { ChannelFault, wordFault } from '../channels/channel-state.tsx'
import { StatusSection } from '../channels/status-section.tsx'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { moment } from '../core/time.ts'
import { useProject } from '../projects/project.ts'
import { FailedUpdates } from './failed-updates.tsx'
import { LastReceived } from './last-received.tsx'
import { type BotVersion, botPath, type TelegramBot, type TelegramBotTrial } from './queries.ts'

interface Props {
  bot: TelegramBot
  version: BotVersion
}

/** Whether the bot works, and what to do if it does not. */
export function BotStatus({ bot, version }: Props) {
  const params = { path: { project_id: useProject().id, bot_id: bot.id } }
  const words = pageText.telegramBots
  return (
    <StatusSection
      channel={bot}
      version={version}
      words={words}
      about={<LastReceived bot={bot} />}
      test={() => take(api.POST(`${botPath}/test`, { params }))}
      pause={() => take(api.POST(`${botPath}/pause`, { params }))}
      resume={() => take(api.POST(`${botPath}/resume`, { params }))}
      showTrial={trial => <Trial trial={trial} />}
    >
      <ChannelFault channel={bot} words={words} />
      <Missed bot={bot} />
      <FailedUpdates bot={bot} version={version} />
    </StatusSection>
  )
}

function Missed({ bot: { missed } }: { bot: TelegramBot }) {
  if (!missed) return null
  const { isMissing, isMissingAbout } = pageText.telegramBots
  return (
    <Alert color="gray" mb="md" title={isMissing}>
      {isMissingAbout(moment(missed.from), moment(missed.until))}
    </Alert>
  )
}

/** The result of the test, with what Telegram knows about the webhook. */
function Trial({ trial: { ok, problem, webhook } }: { trial: TelegramBotTrial }) {
  const { works, worksNot, fetches, delivers, pending, lastWebhookError } = pageText.telegramBots
  return (
    <Alert mt="md" color={ok ? 'gray' : 'red'} title={ok ? works : worksNot}>
      {problem && wordFault(pageText.telegramBots, problem)}
      {ok && !webhook && fetches}
      {webhook && (
        <>
          <Text size="sm">{delivers(webhook.url)}</Text>
          <Text size="sm">{pending(webhook.pending)}</Text>
          {webhook.last_error && <Text size="sm">{lastWebhookError(webhook.last_error)}</Text>}
        </>
      )}
    </Alert>
  )
}
