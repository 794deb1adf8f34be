import type { Update, User } from '@grammyjs/types'
import type { Vault } from '../../../core/crypto.ts'
import type { Sql } from '../../../core/db/db.ts'
import type { Caller } from '../../../core/endpoint.ts'
import type { Hours } from '../../../core/weekly-hours.ts'
import type { Tx } from '../../../events/transaction.ts'
import type { BotApi } from '../bot-api/client.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import type { TelegramChatRow } from './chat-queries.ts'

/** The input and the result of handling an update. */

export interface TelegramFacts {
  name: string
  language: string
  /** Null if the project has no office hours. */
  hours: Hours | null
}

export async function findTelegramFacts(sql: Sql, projectId: string): Promise<TelegramFacts | null> {
  const [row] = await sql<TelegramFacts[]>`
    select p.name, p.default_locale as language, nullif(w.settings->'hours', 'null') as hours
    from projects p left join widgets w on w.project_id = ${projectId} where p.id = ${projectId}`
  return row ?? null
}

export interface UpdateContext {
  tx: Tx
  vault: Vault
  bot: ConnectedBot
  chat: TelegramChatRow
  facts: TelegramFacts
}

/** Sent right after the commit. Losing it does not lose a ticket or a message. */
export type Answer = (api: BotApi) => Promise<unknown>

export interface Handled {
  outcome: string
  answers?: Answer[]
}

/** One update, or all parts of an album, which are handled together. */
export type UpdateGroup = [Update, ...Update[]]

export const nameOf = ({ first_name, last_name }: User): string =>
  [first_name, last_name].filter(Boolean).join(' ').trim()

export const isGroup = ({ chat_id }: Pick<TelegramChatRow, 'chat_id'>): boolean => chat_id < 0

export const contactCaller = (
  { tx, facts }: Pick<UpdateContext, 'tx' | 'facts'>,
  id: string,
  name: string | null,
): Caller => ({
  project: { id: tx.projectId, name: facts.name },
  actor: { type: 'contact', id, name, visitor_id: id },
})

export const say =
  (chatId: number, text: string, more: Record<string, object> = {}): Answer =>
  api =>
    api.call('sendMessage', { chat_id: chatId, text, ...more })
