import type { Sql } from '../../../core/db/db.ts'

/** Signed links that were used. Each link works in only one chat. */

/** Returns false if another chat has used the link. If two chats open it at the same time, the second waits here for the first. */
export async function insertUsedLink(
  sql: Sql,
  projectId: string,
  chatId: string,
  token: string,
): Promise<boolean> {
  await sql`delete from telegram_used_links where project_id = ${projectId} and expires_at < now()`
  const [row] = await sql<{ chat_id: string }[]>`
    insert into telegram_used_links (project_id, token, chat_id, expires_at)
    values (${projectId}, ${token}, ${chatId}, now() + interval '2 hours')
    on conflict (project_id, token) do update set chat_id = telegram_used_links.chat_id returning chat_id`
  return row?.chat_id === chatId
}

export const deleteUsedLink = (sql: Sql, projectId: string, token: string) => sql`
  delete from telegram_used_links where project_id = ${projectId} and token = ${token}`
