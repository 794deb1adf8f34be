import type { Sql } from '../../../core/db/db.ts'
import {
  type Account,
  countLeased,
  type OutgoingChannel,
  type SendingLimits,
  startSending,
} from '../../../outgoing/outgoing.ts'
import type { SendingDeps } from './open-send.ts'
import { heldChats, lockSendingChat } from './rate-queries.ts'
import { sendTelegram } from './send-message.ts'

/** Sends the messages of all bots, in a process with the role `channels`. */

/** A chat sends one message at a time, which keeps their order. Messages of a removed chat are claimed, so that they are cancelled. */
async function lockChatFor(sql: Sql, account: Account): Promise<number> {
  const chat = await lockSendingChat(sql, account.project_id, account.account_id)
  if (!chat) return 1
  if (chat.is_held || (await countLeased(sql, account)) > 0) return 0
  return 1
}

export function startSendingTelegram(
  deps: SendingDeps,
  limits: SendingLimits = {},
): { stop(): Promise<void> } {
  const channel: OutgoingChannel = {
    name: 'telegram',
    lockAccount: lockChatFor,
    held: heldChats,
    isSlow: () => false,
    isPaced: true,
    send: (claimed, stopping) => sendTelegram(deps, claimed, stopping),
  }
  return startSending({ ...deps, channel }, { maxPerAccount: 1, ...limits })
}
