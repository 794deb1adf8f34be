import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../core/db/db.ts'
import { type Account, countLeased } from '../../../outgoing/outgoing.ts'
import type { BotApi } from '../bot-api/client.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import {
  lockBotRate,
  lockSendingChat,
  updateBotHeld,
  updateChatHeld,
  updateChatSent,
} from './rate-queries.ts'

/** Sends messages that belong to no ticket, such as greetings. They share the rate limits of all other messages. */

/** An answer that would have to wait longer than this is not sent. */
const maxWaitMs = 10_000

/** Milliseconds between checks while a ticket's message is being sent to the chat. */
const lookMs = 100

/** Counts the message and returns 0 if it can be sent now. Otherwise returns the milliseconds to wait; infinite if sending is on hold. */
const takeTurn = (db: Db, { project_id, account_id }: Account): Promise<number> =>
  db.begin(async sql => {
    const chat = await lockSendingChat(sql, project_id, account_id)
    if (!chat || chat.is_held) return Number.POSITIVE_INFINITY
    if (chat.wait > 0) return chat.wait
    if ((await countLeased(sql, { project_id, account_id })) > 0) return lookMs
    const waitMs = await lockBotRate(sql, project_id, chat.bot_id)
    if (waitMs === 0) await updateChatSent(sql, project_id, account_id)
    return waitMs
  })

async function waitForTurn(db: Db, chat: Account): Promise<void> {
  const end = performance.now() + maxWaitMs
  for (let waitMs = await takeTurn(db, chat); waitMs > 0; waitMs = await takeTurn(db, chat)) {
    if (performance.now() + waitMs > end)
      throw new Error('Too many messages are waiting for the chat or its bot')
    await pause(waitMs)
  }
}

/** Holds the chat after too many messages, and also the bot unless the limit was a group's. */
async function holdChat(db: Db, { project_id, account_id }: Account, waitMs: number): Promise<void> {
  const chat = await db.begin(async sql => {
    await updateChatHeld(sql, project_id, account_id, waitMs)
    return lockSendingChat(sql, project_id, account_id)
  })
  if (chat && !chat.is_group) await updateBotHeld(db, project_id, chat.bot_id, waitMs)
}

/** Wraps the bot's API so that messages to the chat wait for their turn. */
export const createPacedApi = (db: Db, chat: Account, api: BotApi): BotApi => ({
  ...api,
  async call(method, params, options) {
    if (method !== 'sendMessage') return api.call(method, params, options)
    await waitForTurn(db, chat)
    try {
      return await api.call(method, params, options)
    } catch (error) {
      if (error instanceof BotApiRefusal && error.retryAfter !== null)
        await holdChat(db, chat, error.retryAfter * 1_000 + 50)
      throw error
    }
  },
})
