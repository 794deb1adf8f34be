import Type, { type Static } from 'typebox'
import type { Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db/db.ts'
import { id, nullable, oneOf, time } from '../../core/schema.ts'
import { getTicketId, hasNoMessenger } from '../../messages/messages.ts'
import { linkOf } from './bots/show-bot.ts'
import { findTicketChat, isContinuedInTelegram } from './outgoing/send-queries.ts'
import { makeStartToken } from './start-token.ts'

/** The Telegram chat of a ticket, and links that continue a ticket in Telegram. */

export const telegramConversation = Type.Object(
  {
    chat: nullable(
      Type.Object(
        {
          title: Type.String({ description: 'The name of the person or the group', examples: ['Ann Lee'] }),
          is_group: Type.Boolean(),
          is_topic: Type.Boolean({ description: 'Whether it is a topic of a forum group' }),
          takes_replies: Type.Boolean({
            description:
              'Whether the next reply goes to Telegram. A ticket of another channel can have a chat but not continue there',
          }),
          blocked_at: nullable({
            ...time,
            description: 'When the bot was blocked or removed from the group. Replies have failed since then',
          }),
          failed_updates: Type.Integer({
            description:
              'How many messages and other updates of the chat could not be handled. An admin can retry them',
            examples: [0],
          }),
          bot_id: id,
          bot_username: Type.String({ examples: ['acme_support_bot'] }),
          bot_name: Type.String({ examples: ['Acme Support'] }),
          bot_state: oneOf(['active', 'paused', 'broken'] as const, {
            description: 'Replies wait while the bot is not active',
          }),
        },
        { description: 'Null if the ticket has no Telegram chat' },
      ),
    ),
  },
  { title: 'TelegramConversation' },
)
export type TelegramConversation = Static<typeof telegramConversation>

type FoundChat = Omit<NonNullable<TelegramConversation['chat']>, 'is_topic' | 'takes_replies'>

/** Whether a ticket of this channel can continue in Telegram. */
export const mayContinueInTelegram = (channel: string): boolean =>
  channel === 'widget' || hasNoMessenger(channel)

export async function readConversation(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<TelegramConversation> {
  const ticketId = await getTicketId(sql, projectId, reference)
  const place = await findTicketChat(sql, projectId, ticketId)
  if (!place) return { chat: null }
  const [chat] = await sql<(FoundChat & { channel: string })[]>`
    select c.title, c.chat_id < 0 as is_group, c.blocked_at, t.channel,
      (select count(*)::int from telegram_updates u where u.project_id = ${projectId} and u.bot_id = c.bot_id and u.chat_id = c.id
        and u.state = 'failed') as failed_updates, b.id as bot_id, b.username as bot_username, b.name as bot_name,
      b.state as bot_state
    from telegram_chats c join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
      join tickets t on t.project_id = ${projectId} and t.id = ${ticketId}
    where c.project_id = ${projectId} and c.id = ${place.chat_id}`
  if (!chat) return { chat: null }
  const { channel, ...found } = chat
  const takes_replies =
    channel === 'telegram' ||
    (mayContinueInTelegram(channel) &&
      found.blocked_at === null &&
      (await isContinuedInTelegram(sql, projectId, ticketId)))
  return { chat: { ...found, is_topic: found.is_group && place.topic_id > 0, takes_replies } }
}

export interface TelegramLink {
  url: string
  username: string
}

/** Creates a link that lets a contact continue a ticket in Telegram. Null if the project has no active bot. */
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
