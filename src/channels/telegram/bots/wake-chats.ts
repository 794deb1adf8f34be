import type { Sql } from '../../../core/db/db.ts'
import type { Tx } from '../../../events/transaction.ts'

/** The bot's chats that have unsent messages. */

export const listWaitingChats = (sql: Sql, projectId: string, botId: string) => sql<{ chat_id: string }[]>`
  select distinct q.account_id as chat_id from outgoing_queue q
    join telegram_chats c on c.project_id = ${projectId} and c.id = q.account_id
  where q.project_id = ${projectId} and q.channel = 'telegram' and c.bot_id = ${botId}`

/** Sends the bot's unsent messages, for example after it was resumed. */
export async function wakeChats(tx: Tx, botId: string): Promise<void> {
  for (const { chat_id } of await listWaitingChats(tx, tx.projectId, botId))
    tx.noteDue('outgoing_telegram', null, chat_id)
}
