import type { Tx } from '../../../events/transaction.ts'

/** A group that becomes a supergroup gets a new id, and its message numbers start over. */

async function lockChatByTelegramId(tx: Tx, botId: string, telegramId: number): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from telegram_chats
    where project_id = ${tx.projectId} and bot_id = ${botId} and chat_id = ${telegramId} for no key update`
  return row?.id ?? null
}

/** Moves everything from the old chat to the new one, which already exists because one of its updates arrived first. */
async function moveChat(tx: Tx, botId: string, from: string, to: string): Promise<void> {
  const { projectId } = tx
  await tx`
    update telegram_chats set due_at = least(due_at, now()), contact_id = coalesce(contact_id, (
      select contact_id from telegram_chats where project_id = ${projectId} and id = ${from}))
    where project_id = ${projectId} and id = ${to}`
  await tx`
    update telegram_messages set chat_id = ${to}, telegram_id = -abs(telegram_id)
    where project_id = ${projectId} and chat_id = ${from}`
  await tx`update telegram_updates set chat_id = ${to} where project_id = ${projectId} and chat_id = ${from}`
  await tx`update telegram_sends set chat_id = ${to} where project_id = ${projectId} and chat_id = ${from}`
  await tx`
    update outgoing_queue set account_id = ${to}
    where project_id = ${projectId} and channel = 'telegram' and account_id = ${from}`
  await tx`delete from telegram_chats where project_id = ${projectId} and id = ${from}`
  tx.noteDue('outgoing_telegram', null, to)
  tx.noteDue('telegram_updates', null, botId)
}

/** Gives a chat its new Telegram id. Has no effect if it already has it. */
export async function migrateChat(tx: Tx, botId: string, oldId: number, newId: number): Promise<void> {
  const from = await lockChatByTelegramId(tx, botId, oldId)
  if (from === null) return
  const to = await lockChatByTelegramId(tx, botId, newId)
  if (to !== null) return moveChat(tx, botId, from, to)
  await tx`
    update telegram_messages set telegram_id = -abs(telegram_id)
    where project_id = ${tx.projectId} and chat_id = ${from}`
  await tx`
    update telegram_chats set chat_id = ${newId} where project_id = ${tx.projectId} and id = ${from}`
}
