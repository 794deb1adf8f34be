import type { Sql } from '../../../core/db/db.ts'
import type { UpdateChat } from './update-chat.ts'

/** Stores updates. */

/** Records how far updates have been fetched. Returns false if the bot was paused or removed. */
export async function updateFetched(
  sql: Sql,
  projectId: string,
  botId: string,
  nextUpdateId: number,
): Promise<boolean> {
  const { count } = await sql`
    update telegram_bots set next_update_id = ${nextUpdateId}, last_update_at = now()
    where project_id = ${projectId} and id = ${botId} and state = 'active'`
  return count > 0
}

/** Makes the chats due and creates new ones. Chats that are waiting after a failure keep waiting. Returns their ids by Telegram chat id. */
export async function insertDueChats(
  sql: Sql,
  projectId: string,
  botId: string,
  chats: (UpdateChat & { id: string })[],
): Promise<Map<number, string>> {
  const rows = await sql<{ id: string; chat_id: number }[]>`
    insert into telegram_chats as c (project_id, id, bot_id, chat_id, title, due_at)
    select ${projectId}, given.id, ${botId}, given.chat_id, given.title, now()
    from unnest(${chats.map(one => one.id)}::uuid[], ${chats.map(one => one.chat_id)}::bigint[],
      ${chats.map(one => one.title)}::text[]) as given (id, chat_id, title)
    order by given.chat_id
    on conflict (project_id, bot_id, chat_id) do update set title = excluded.title,
      due_at = coalesce(c.due_at, excluded.due_at)
    returning c.id, c.chat_id::float8 as chat_id`
  return new Map(rows.map(({ id, chat_id }) => [chat_id, id]))
}

export interface NewUpdate {
  update_id: number
  chat_id: string
  /** JSON. */
  content: string
}

/** Returns how many updates were new. */
export async function insertUpdates(
  sql: Sql,
  projectId: string,
  botId: string,
  updates: NewUpdate[],
): Promise<number> {
  const { count } = await sql`
    insert into telegram_updates (project_id, bot_id, update_id, chat_id, content)
    select ${projectId}, ${botId}, given.update_id, given.chat_id, given.content::jsonb
    from unnest(${updates.map(one => one.update_id)}::bigint[], ${updates.map(one => one.chat_id)}::uuid[],
      ${updates.map(one => one.content)}::text[]) as given (update_id, chat_id, content)
    order by given.update_id on conflict do nothing`
  return count
}
