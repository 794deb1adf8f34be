import type { Update } from '@grammyjs/types'
import type { Db } from '../../../core/db/db.ts'
import { newId } from '../../../core/ids.ts'
import { notifyBotUpdates } from '../../../events/notifier.ts'
import { transact } from '../../../events/transaction.ts'
import { countReceived } from '../telegram-metrics.ts'
import { findUpdateChat, type UpdateChat } from './update-chat.ts'
import { insertDueChats, insertUpdates, updateFetched } from './update-queries.ts'

/** Stores updates before they are handled, so that a failure during handling does not lose any. */

export interface ReceivingBot {
  project_id: string
  id: string
}

/** Postgres rejects U+0000 and lone surrogates in JSON. */
const printUpdate = (update: Update): string =>
  JSON.stringify(update, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )

const listChats = (found: UpdateChat[]): (UpdateChat & { id: string })[] =>
  [...new Map(found.map(chat => [chat.chat_id, chat])).values()].map(chat => ({
    ...chat,
    title: chat.title.replaceAll('\0', '').toWellFormed(),
    id: newId(),
  }))

/**
 * Returns false if the bot was paused or removed. Updates that are already stored are ignored. `isPolled`: the next fetch starts after
 * these updates.
 */
export function storeUpdates(
  db: Db,
  { project_id, id }: ReceivingBot,
  updates: Update[],
  isPolled: boolean,
): Promise<boolean> {
  const located = updates.flatMap(update => {
    const chat = findUpdateChat(update)
    return chat ? [{ update, chat }] : []
  })
  const next = Math.max(0, ...updates.map(({ update_id }) => update_id)) + 1
  return transact(db, project_id, async tx => {
    if (isPolled && !(await updateFetched(tx, project_id, id, next))) return false
    if (located.length === 0) return true
    const chats = await insertDueChats(tx, project_id, id, listChats(located.map(one => one.chat)))
    const rows = located.map(({ update, chat }) => ({
      update_id: update.update_id,
      chat_id: chats.get(chat.chat_id)!,
      content: printUpdate(update),
    }))
    const count = await insertUpdates(tx, project_id, id, rows)
    tx.noteDue('telegram_updates', null, id)
    tx.afterCommit(() => {
      countReceived('stored', count)
      countReceived('duplicate', rows.length - count)
      notifyBotUpdates(project_id, id)
    })
    return true
  })
}
