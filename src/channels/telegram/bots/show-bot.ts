import type { Sql } from '../../../core/db/db.ts'
import type { TelegramBotRow } from './bot.ts'
import { withFaultText } from './bot-fault.ts'
import { listBotRows } from './queries.ts'
import { receivingModeOf } from './receiving-mode.ts'
import type { TelegramBot } from './schema.ts'

/** The bot as the dashboard and the command line show it, with all settings except its token. */

export const linkOf = ({ username }: Pick<TelegramBotRow, 'username'>, start = ''): string =>
  `https://t.me/${username}${start && `?start=${start}`}`

export function showBot(bot: TelegramBotRow, publicUrl: string): TelegramBot {
  const { backoff_until: _, last_error, ...fields } = bot
  return {
    ...fields,
    last_error: last_error && withFaultText(last_error),
    receives_by: receivingModeOf(bot, publicUrl),
    link: linkOf(bot),
  }
}

export const listBots = async (sql: Sql, projectId: string, publicUrl: string): Promise<TelegramBot[]> =>
  (await listBotRows(sql, projectId)).map(bot => showBot(bot, publicUrl))
