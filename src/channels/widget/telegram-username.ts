import type { Fragment, Sql } from '../../core/db/db.ts'

/**
 * The bot through which replies in ticket `t` with activity `a` are sent, because the contact opened a link made for the ticket or sent
 * their newest message to this bot. Null if replies are not sent through a bot, or if the contact blocked it.
 */
export const telegramUsername = (sql: Sql, projectId: string, part: Fragment): Fragment => sql`coalesce((
    select b.username from telegram_chats c
      join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
    where c.project_id = ${projectId} and c.continues_ticket_id = t.id and c.blocked_at is null limit 1),
  (select b.username from messages m
      join telegram_messages p on p.project_id = ${projectId} and p.message_id = m.id
      join telegram_chats c on c.project_id = ${projectId} and c.id = p.chat_id and c.blocked_at is null
      join telegram_bots b on b.project_id = ${projectId} and b.id = c.bot_id
    where m.project_id = ${projectId} and m.ticket_id = t.id and m.created_at = a.last_contact_message_at
      and m.sender_type = 'contact' and m.channel = 'telegram' and ${part} limit 1))`
