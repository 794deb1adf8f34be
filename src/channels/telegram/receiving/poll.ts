import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../core/db/db.ts'
import { currentTime } from '../../../core/time.ts'
import type { BotApi } from '../bot-api/client.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import { updateBotOk } from './lease-queries.ts'
import { storeUpdates } from './store-updates.ts'
import type { StoringSlots } from './storing-slots.ts'
import { allowedUpdates } from './update-chat.ts'

/** Fetches a bot's updates with getUpdates. */

export interface ReceivingDeps {
  db: Db
  api: BotApi
  bot: ConnectedBot
  stopping: AbortSignal
  slots: StoringSlots
  /** Milliseconds without updates after which the offset is omitted. */
  quietMs?: number
  /** Milliseconds to wait after an answer that came too early. */
  earlyPauseMs?: number
}

const usualQuietMs = 3 * 86_400_000

/** A project's own server may answer immediately instead of waiting for a new update. */
const usualEarlyPauseMs = 2_000

/** How long Telegram waits for an update, and how much longer the answer may take. */
const waitSeconds = 50
const graceMs = 15_000

/**
 * The number of the first update to fetch. Telegram deletes updates with lower numbers, and after a week without updates the numbers
 * can start anywhere. If the last update is old, the offset is omitted, and Telegram starts with the first unconfirmed update.
 */
const firstOffset = ({ is_in_sequence, next_update_id }: ConnectedBot): number | undefined =>
  is_in_sequence ? next_update_id : undefined

/** Runs until stopped. Rejects when a call fails. The next call confirms updates, after they have been stored. */
export async function pollUpdates(deps: ReceivingDeps): Promise<void> {
  const { db, api, bot, stopping, slots } = deps
  const { quietMs = usualQuietMs, earlyPauseMs = usualEarlyPauseMs } = deps
  await api.call('deleteWebhook', {}, { signal: stopping })
  let offset = firstOffset(bot)
  let updatedAt = currentTime()
  let timeout = 0
  while (!stopping.aborted) {
    if (currentTime() - updatedAt >= quietMs) offset = undefined
    const calledAt = performance.now()
    const updates = await api.call(
      'getUpdates',
      { offset, limit: 100, timeout, allowed_updates: allowedUpdates },
      { signal: stopping, timeoutMs: timeout * 1_000 + graceMs },
    )
    const store = () => storeUpdates(db, bot, updates, true)
    if (updates.length > 0 && !(await slots.use(bot.project_id, store))) return
    await updateBotOk(db, bot)
    const next = Math.max(...updates.map(({ update_id }) => update_id)) + 1
    const isEarly = timeout > 0 && performance.now() - calledAt < earlyPauseMs
    if (isEarly && next <= (offset ?? 0))
      await pause(earlyPauseMs, null, { signal: stopping }).catch(() => {})
    if (updates.length > 0) {
      offset = next
      updatedAt = currentTime()
    }
    // The first call returns immediately, so a problem shows early.
    timeout = waitSeconds
  }
}
