import type { LanguageCode } from '@grammyjs/types'
import type { BotApi } from '../bot-api/client.ts'
import { wordsOf } from '../choose-text.ts'

/** Sets the command menu in every language that Deskbell supports. Telegram shows the one in the project's language to everyone else. */

const languages: LanguageCode[] = [
  ...(['ar', 'cs', 'de', 'en', 'es', 'fa', 'fr', 'he', 'it'] as const),
  ...(['ja', 'nl', 'pl', 'pt', 'ru', 'tr', 'uk', 'zh'] as const),
]

function commandsIn(language: string) {
  const { command_start, command_new } = wordsOf([language])
  return [
    { command: 'start', description: command_start },
    { command: 'new', description: command_new },
  ]
}

export async function setCommands(api: BotApi, projectLanguage: string, signal: AbortSignal): Promise<void> {
  await api.call('setMyCommands', { commands: commandsIn(projectLanguage) }, { signal })
  for (const language_code of languages)
    await api.call('setMyCommands', { commands: commandsIn(language_code), language_code }, { signal })
}
