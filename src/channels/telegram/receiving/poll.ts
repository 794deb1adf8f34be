import type { Db } from '../../../core/db/db.ts'
import { currentTime } from '../../../core/time.ts'
import type { BotApi } from '../bot-api/client.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import { updateBotOk } from './lease-queries.ts'
import { storeUpdates } from './store-updates.ts'
import { allowedUpdates } from './update-chat.ts'

/** Fetches a bot's updates with getUpdates. */

export interface ReceivingDeps {
  db: Db
  api: BotApi
  bot: ConnectedBot
  stopping: AbortSignal
  /** Milliseconds without updates after which they are fetched without a number. */
  quietMs?: number
}

const usualQuietMs = 3 * 86_400_000

/** Seconds that Telegram waits for an update, and that the answer may take longer. */
const waitSeconds = 50
const graceMs = 15_000

/**
 * The number of the first update to fetch. A higher number than that of an update deletes it, and after a week without updates the
 * numbers begin anywhere. So it is omitted if the last update is old; then Telegram starts with the first one that is not confirmed.
 */
const firstOffset = ({ is_in_sequence, next_update_id }: ConnectedBot): number | undefined =>
  is_in_sequence ? next_update_id : undefined

/** Runs until stopped. Rejects when a call fails. An update is confirmed, by the next call, only after it was stored. */
export async function pollUpdates(deps: ReceivingDeps): Promise<void> {
  const { db, api, bot, stopping, quietMs = usualQuietMs } = deps
  await api.call('deleteWebhook', {}, { signal: stopping })
  let offset = firstOffset(bot)
  let updatedAt = currentTime()
  let timeout = 0
  while (!stopping.aborted) {
    if (currentTime() - updatedAt >= quietMs) offset = undefined
    const updates = await api.call(
      'getUpdates',
      { offset, limit: 100, timeout, allowed_updates: allowedUpdates },
      { signal: stopping, timeoutMs: timeout * 1_000 + graceMs },
    )
    if (updates.length > 0 && !(await storeUpdates(db, bot, updates, true))) return
    await updateBotOk(db, bot)
    const last = updates.at(-1)
    if (last) {
      offset = last.update_id + 1
      updatedAt = currentTime()
    }
    // The first call returns at once, so that a problem shows soon.
    timeout = waitSeconds
  }
}
