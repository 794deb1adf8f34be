import Type, { type Static } from 'typebox'
import type { Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db/db.ts'
import { id, nullable, oneOf, time } from '../../core/schema.ts'
import { getTicketId } from '../../messages/messages.ts'
import { linkOf } from './bots/show-bot.ts'
import { findTicketChat } from './outgoing/send-queries.ts'
import { makeStartToken } from './start-token.ts'

/** The chat behind a ticket, and links that lead into one. */

export const telegramConversation = Type.Object(
  {
    chat: nullable(
      Type.Object(
        {
          title: Type.String({ description: 'The name of the person or the group', examples: ['Ann Lee'] }),
          is_group: Type.Boolean(),
          blocked_at: nullable({
            ...time,
            description: 'Since when replies fail, because the bot was blocked or removed from the group',
          }),
          bot_id: id,
          bot_username: Type.String({ examples: ['acme_support_bot'] }),
          bot_name: Type.String({ examples: ['Acme Support'] }),
          bot_state: oneOf(['active', 'paused', 'broken'] as const, {
            description: 'Replies wait while the bot is not active',
          }),
        },
        { description: 'Null if the ticket has no chat in Telegram' },
      ),
    ),
  },
  { title: 'TelegramConversation' },
)
export type TelegramConversation = Static<typeof telegramConversation>

export async function readConversation(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<TelegramConversation> {
  const ticketId = await getTicketId(sql, projectId, reference)
  const place = await findTicketChat(sql, projectId, ticketId)
  if (!place) return { chat: null }
  const [chat] = await sql<NonNullable<TelegramConversation['chat']>[]>`
    select c.title, c.chat_id < 0 as is_group, c.blocked_at, b.id as bot_id, b.username as bot_username, b.name as bot_name,
      b.state as bot_state
    from telegram_chats c join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
    where c.project_id = ${projectId} and c.id = ${place.chat_id}`
  return { chat: chat ?? null }
}

export interface TelegramLink {
  url: string
  username: string
}

/** Makes a link with which a contact continues a ticket in Telegram. Null if the project has no active bot. */
export const createTelegramLinks =
  ({ vault }: { vault: Vault }) =>
  async (sql: Sql, projectId: string, ticketId: string): Promise<TelegramLink | null> => {
    const [bot] = await sql<{ username: string }[]>`
      select b.username from telegram_bots b join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
      where b.project_id = ${projectId} and b.state = 'active'
      order by (b.department_id is not null and b.department_id = t.department_id) desc, b.created_at limit 1`
    if (!bot) return null
    const url = linkOf(bot, makeStartToken(vault, projectId, { kind: 'ticket', id: ticketId }))
    return { url, username: bot.username }
  }
