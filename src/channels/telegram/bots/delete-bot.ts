import { ApiError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { transact } from '../../../events/transaction.ts'
import { deleteAccount } from '../../accounts/account-queries.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import { type BotDeps, getLockedBot, noteBot } from './bots.ts'
import { findConnectedBot } from './queries.ts'
import { openToken } from './secrets.ts'
import { listWaitingChats } from './wake-chats.ts'

/** Keeps the bot's tickets and cancels its unsent messages. Tells Telegram to stop delivering, if Telegram can be reached. */
export async function deleteBot(deps: BotDeps, caller: AccountCaller, id: string): Promise<void> {
  const projectId = caller.project.id
  const bot = isId(id) ? await findConnectedBot(deps.db, projectId, id) : null
  if (!bot) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  await transact(deps.db, projectId, async tx => {
    const old = await getLockedBot(tx, id)
    const waiting = await listWaitingChats(tx, projectId, id)
    await deleteAccount(tx, 'telegram_bots', projectId, id)
    await noteBot(tx, caller, 'telegram_bot.deleted', old)
    for (const { chat_id } of waiting) tx.noteDue('outgoing_telegram', null, chat_id)
  })
  const api = deps.apis.connect({ token: openToken(deps.vault, bot), apiRoot: bot.api_root })
  await api.call('deleteWebhook', {}, { timeoutMs: 3_000 }).catch(() => {})
}
