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
import { wakeIfQueued } from './record.ts'

/** Sends messages that belong to no ticket, such as greetings. They share the rate limits of all other messages. */

/** An answer that would have to wait longer than this is not sent. */
const maxWaitMs = 10_000

/** Milliseconds between checks while a ticket's message is being sent to the chat. */
const lookMs = 100

/**
 * Milliseconds for which an answer holds the chat, longer than its call can take, so that the next message follows a second after the call
 * has ended. If the process ends during the call, the chat is held until then.
 */
const callMs = 16_000

/** Milliseconds between checks while another answer may be holding the chat. */
const callLookMs = 1_000

/** Counts the message and returns 0 if it can be sent now. Otherwise returns the milliseconds to wait; infinite if sending is on hold. */
const takeTurn = (db: Db, { project_id, account_id }: Account): Promise<number> =>
  db.begin(async sql => {
    const chat = await lockSendingChat(sql, project_id, account_id)
    if (!chat || chat.is_held) return Number.POSITIVE_INFINITY
    if (chat.wait > 0) return chat.wait
    if ((await countLeased(sql, { project_id, account_id })) > 0) return lookMs
    const waitMs = await lockBotRate(sql, project_id, chat.bot_id)
    if (waitMs === 0) await updateChatHeld(sql, project_id, account_id, callMs)
    return waitMs
  })

async function waitForTurn(db: Db, chat: Account): Promise<void> {
  const end = performance.now() + maxWaitMs
  for (let waitMs = await takeTurn(db, chat); waitMs > 0; waitMs = await takeTurn(db, chat)) {
    const pauseMs = waitMs > callMs ? waitMs : Math.min(waitMs, callLookMs)
    if (performance.now() + pauseMs > end)
      throw new Error('Too many messages are waiting for the chat or its bot')
    await pause(pauseMs)
  }
}

async function endTurn(db: Db, chat: Account): Promise<void> {
  await updateChatSent(db, chat.project_id, chat.account_id)
  await wakeIfQueued(db, chat)
}

/** Holds the chat after too many messages, and also the bot unless the limit was a group's. */
async function holdChat(db: Db, { project_id, account_id }: Account, waitMs: number): Promise<void> {
  const chat = await db.begin(async sql => {
    await updateChatHeld(sql, project_id, account_id, waitMs)
    return lockSendingChat(sql, project_id, account_id)
  })
  if (chat && !chat.is_group) await updateBotHeld(db, project_id, chat.bot_id, waitMs)
}

async function endFailedTurn(db: Db, chat: Account, error: unknown): Promise<void> {
  const seconds = error instanceof BotApiRefusal ? error.retryAfter : null
  await (seconds === null ? endTurn(db, chat) : holdChat(db, chat, seconds * 1_000 + 50))
}

/** Wraps the bot's API so that messages to the chat wait for their turn. */
export const createPacedApi = (db: Db, chat: Account, api: BotApi): BotApi => ({
  ...api,
  async call(method, params, options) {
    if (method !== 'sendMessage') return api.call(method, params, options)
    await waitForTurn(db, chat)
    const calling = api.call(method, params, options)
    const ending = calling.then(
      () => endTurn(db, chat),
      (error: unknown) => endFailedTurn(db, chat, error),
    )
    // If this fails, the hold of the chat still ends by itself, and the answer was sent.
    await ending.catch(() => {})
    return calling
  },
})
