import type { Sql } from '../../../core/db/db.ts'
import { notifyOutgoingTelegram } from '../../../events/notifier.ts'
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

/** Longer waits end with a regular check of the due work. */
const maxTimerMs = 5_000

/** Wakes chats that can soon get their next message. */
function createWaker() {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    wakeLater({ project_id, account_id }: Account, waitMs: number): void {
      if (waitMs > maxTimerMs || timers.has(account_id)) return
      const wake = () => {
        timers.delete(account_id)
        notifyOutgoingTelegram(project_id, account_id)
      }
      timers.set(account_id, setTimeout(wake, waitMs + 5))
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}

export function startSendingTelegram(
  deps: SendingDeps,
  limits: SendingLimits = {},
): { stop(): Promise<void> } {
  const waker = createWaker()

  /** A chat gets one message at a time, which keeps messages in order. Messages to a removed chat are claimed so that they can be cancelled. */
  async function lockChatFor(sql: Sql, account: Account): Promise<number> {
    const chat = await lockSendingChat(sql, account.project_id, account.account_id)
    if (!chat) return 1
    if (chat.is_held) return 0
    if (chat.wait > 0) waker.wakeLater(account, chat.wait)
    return chat.wait > 0 || (await countLeased(sql, account)) > 0 ? 0 : 1
  }

  const channel: OutgoingChannel = {
    name: 'telegram',
    lockAccount: lockChatFor,
    held: heldChats,
    isSlow: () => false,
    isPaced: true,
    send: (claimed, stopping) => sendTelegram(deps, claimed, stopping),
  }
  const sending = startSending({ ...deps, channel }, { maxPerAccount: 1, ...limits })
  return {
    async stop() {
      await sending.stop()
      waker.stop()
    },
  }
}
