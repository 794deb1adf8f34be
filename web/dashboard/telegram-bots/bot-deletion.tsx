import { DeletionSection } from '../channels/deletion-section.tsx'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { botKeysOf, botPath, type TelegramBot } from './queries.ts'

interface Props {
  bot: TelegramBot
  back: string
}

/** Says what happens to tickets and waiting replies before the bot is deleted. */
export function BotDeletion({ bot: { id: bot_id, username }, back }: Props) {
  const path = { project_id: useProject().id, bot_id }
  const words = pageText.telegramBots
  return (
    <DeletionSection
      words={words}
      question={words.removeTitle(username)}
      keys={botKeysOf(path)}
      back={back}
      send={() => take(api.DELETE(botPath, { params: { path } }))}
    />
  )
}
