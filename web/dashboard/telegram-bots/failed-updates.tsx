import { Alert, Button, Text } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { moment } from '../core/time.ts'
import { useProject } from '../projects/project.ts'
import { type BotVersion, botPath, type TelegramBot } from './queries.ts'

interface Props {
  bot: TelegramBot
  version: BotVersion
}

/** Messages that could not be handled, which are kept. */
export function FailedUpdates({ bot: { id: bot_id, failed_updates }, version }: Props) {
  const { id: project_id } = useProject()
  const retry = useChange({
    send: () => take(api.POST(`${botPath}/retry`, { params: { path: { project_id, bot_id } } })),
    onDone: version.save,
  })
  if (!failed_updates) return null
  const { count, since, last_error } = failed_updates
  const { hasFailed, hasFailedAbout, retryFailed } = pageText.telegramBots
  return (
    <Alert color="red" mb="md" title={hasFailed(count)}>
      <Text size="sm">{hasFailedAbout(moment(since))}</Text>
      {last_error && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {last_error}
        </Text>
      )}
      <Button mt="sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        {retryFailed}
      </Button>
    </Alert>
  )
}
