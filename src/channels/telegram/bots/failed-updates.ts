import type { Db } from '../../../core/db/db.ts'
import { notifyBotUpdates } from '../../../events/notifier.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import type { TelegramBotRow } from './bot.ts'
import { changeLockedBot, noteBot } from './bots.ts'

/** Retries updates that could not be handled. They are kept until someone does this. */

export const retryFailedUpdates = (db: Db, caller: AccountCaller, id: string): Promise<TelegramBotRow> =>
  changeLockedBot(db, caller, id, async (tx, bot) => {
    const { projectId } = tx
    await tx`
      update telegram_chats set due_at = least(due_at, now())
      where project_id = ${projectId} and id in (
        select c.id from telegram_chats c where c.project_id = ${projectId} and c.bot_id = ${id} and exists (
          select from telegram_updates u
          where u.project_id = ${projectId} and u.bot_id = ${id} and u.chat_id = c.id and u.state = 'failed')
        order by c.id for no key update)`
    const { count } = await tx`
      update telegram_updates set state = 'stored', attempts = 0, outcome = null
      where project_id = ${projectId} and bot_id = ${id} and state = 'failed'`
    await noteBot(tx, caller, 'telegram_bot.updates_retried', bot, { count })
    tx.noteDue('telegram_updates', null, id)
    tx.afterCommit(() => notifyBotUpdates(projectId, id))
  })
