import type { Db } from '../../../core/db/db.ts'
import { ApiError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { transact } from '../../../events/transaction.ts'
import type { TelegramBotRow } from './bot.ts'
import { type BotCaller, type BotDeps, getBot, getLockedBot, noteBot, noteBotDue } from './bots.ts'
import { deleteBotRow, findConnectedBot, updateBotState } from './queries.ts'
import { openToken } from './secrets.ts'
import { listWaitingChats, wakeChats } from './wake-chats.ts'

/** The rules for pausing, resuming and removing bots. */

/** Updates stay at Telegram, which deletes them after 24 hours. */
export const pauseBot = (db: Db, caller: BotCaller, id: string): Promise<TelegramBotRow> =>
  transact(db, caller.project.id, async tx => {
    const old = await getLockedBot(tx, id)
    if (old.state !== 'paused') {
      await updateBotState(tx, tx.projectId, id, 'paused')
      await noteBot(tx, caller, 'telegram_bot.paused', old)
      await noteBotDue(tx, id)
    }
    return getBot(tx, tx.projectId, id)
  })

/** Also retries a broken bot. */
export const resumeBot = (db: Db, caller: BotCaller, id: string): Promise<TelegramBotRow> =>
  transact(db, caller.project.id, async tx => {
    const old = await getLockedBot(tx, id)
    if (old.state !== 'active') {
      await updateBotState(tx, tx.projectId, id, 'active')
      await noteBot(tx, caller, 'telegram_bot.resumed', old)
      await wakeChats(tx, id)
      await noteBotDue(tx, id)
    }
    return getBot(tx, tx.projectId, id)
  })

/** Keeps its tickets and cancels messages that wait to be sent. Telegram is told to stop delivering, if it can be reached. */
export async function deleteBot(deps: BotDeps, caller: BotCaller, id: string): Promise<void> {
  const projectId = caller.project.id
  const bot = isId(id) ? await findConnectedBot(deps.db, projectId, id) : null
  if (!bot) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  await transact(deps.db, projectId, async tx => {
    const old = await getLockedBot(tx, id)
    const waiting = await listWaitingChats(tx, projectId, id)
    await deleteBotRow(tx, projectId, id)
    await noteBot(tx, caller, 'telegram_bot.deleted', old)
    for (const { chat_id } of waiting) tx.noteDue('outgoing_telegram', null, chat_id)
  })
  const api = deps.apis.connect({ token: openToken(deps.vault, bot), apiRoot: bot.api_root })
  await api.call('deleteWebhook', {}, { timeoutMs: 3_000 }).catch(() => {})
}
