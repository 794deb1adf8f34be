import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Sql } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { onOutgoing } from '../events/notifier.ts'
import { accountKey, createDueAccounts } from './due-accounts.ts'
import {
  type Account,
  type ClaimedMessage,
  type HeldAccounts,
  lockQueued,
  type OutgoingName,
  updateLease,
} from './queue.ts'

/** Sends queued messages until stopped. Any number of processes can run this. */

/** How a channel sends. */
export interface OutgoingChannel {
  name: OutgoingName
  /** Locks the account, and returns how many more of its messages may be sent now. */
  lockAccount(sql: Sql, account: Account): Promise<number>
  /** The accounts that may send nothing for a longer time. The change that ends this wakes the account. */
  held: HeldAccounts
  /** Sends a message and records the result. If it rejects, the message is retried when its lease ends. */
  send(claimed: ClaimedMessage, stopping: AbortSignal): Promise<void>
  /** Returns true if this process has a problem with the account, so that others go first. */
  isSlow(account: Account): boolean
  /** Whether an account must pause after each message. The channel then wakes it. */
  isPaced?: boolean
}

interface WorkerDeps {
  db: Db
  log: Log
  channel: OutgoingChannel
}

export interface SendingLimits {
  /** Renewed while a message is sent, so that only the messages of a crashed process are claimed again. */
  leaseMs?: number
  tickMs?: number
  /** The maximum number of messages that this process sends concurrently, in total and per account. */
  maxAtOnce?: number
  maxPerAccount?: number
}

function createSending(
  { db, log, channel }: WorkerDeps,
  limits: Required<SendingLimits>,
  stopping: AbortSignal,
) {
  const running = new Map<Promise<void>, string>()
  const { leaseMs, maxAtOnce, maxPerAccount } = limits

  async function send(claimed: ClaimedMessage): Promise<void> {
    const renewing = setInterval(() => {
      updateLease(db, claimed, leaseMs).catch(error => log.warn({ err: error }, 'Could not renew a lease'))
    }, leaseMs / 3)
    try {
      await channel.send(claimed, stopping)
    } catch (error) {
      log.error({ err: error, message: claimed.message_id }, 'Could not send a message; will retry')
    } finally {
      clearInterval(renewing)
    }
  }

  const countOf = (account: Account): number => {
    const key = accountKey(account)
    return [...running.values()].filter(one => one === key).length
  }

  /** How many more messages of an account this process may send. A slow account gets one connection, if more than half of all are free. */
  function countFree(account: Account): number {
    const free = maxAtOnce - running.size
    const count = countOf(account)
    if (channel.isSlow(account)) return count === 0 && free > maxAtOnce / 2 ? 1 : 0
    return Math.min(free, maxPerAccount - count)
  }

  /** The account with the fewest running messages; null if no account may send another one. */
  function findNext(accounts: Iterable<Account>): Account | null {
    const choices = [...accounts].filter(account => countFree(account) > 0)
    return choices.sort((one, other) => countOf(one) - countOf(other))[0] ?? null
  }

  const claim = (account: Account, max: number): Promise<ClaimedMessage[]> =>
    db.begin(async sql => {
      const limit = Math.min(max, await channel.lockAccount(sql, account))
      return limit > 0 ? lockQueued(sql, account, { channel: channel.name, limit, leaseMs }) : []
    })

  /** Sends as many messages as allowed. Returns whether the account may have more, which are claimed when one of these has ended. */
  async function start(
    account: Account,
    onEnd: (account: Account, hasMore: boolean) => void,
  ): Promise<boolean> {
    const max = countFree(account)
    const messages = await claim(account, max)
    const hasMore = messages.length === max && !channel.isPaced
    for (const claimed of messages) {
      const work = send(claimed).finally(() => {
        running.delete(work)
        onEnd(account, hasMore)
      })
      running.set(work, accountKey(account))
    }
    return hasMore
  }

  return { running, findNext, start }
}

export function startSending(deps: WorkerDeps, limits: SendingLimits = {}): { stop(): Promise<void> } {
  const { log } = deps
  const { leaseMs = 60_000, tickMs = 1_000, maxAtOnce = 32, maxPerAccount = 2 } = limits
  const stopping = new AbortController()
  let resting = new AbortController()
  const waiting = createDueAccounts(deps.db, deps.channel, tickMs)
  const sending = createSending(deps, { leaseMs, tickMs, maxAtOnce, maxPerAccount }, stopping.signal)

  function onEnd(account: Account, hasMore: boolean): void {
    if (hasMore) waiting.add(account)
    if (waiting.accounts.size > 0) resting.abort()
  }

  /** Claims messages until none are due, the limits are reached, or it is time to look up other accounts. */
  async function take(): Promise<void> {
    if (waiting.isTimeToLook()) await waiting.look()
    const next = () => (waiting.isTimeToLook() ? null : sending.findNext(waiting.accounts.values()))
    for (let account = next(); account && !stopping.signal.aborted; account = next()) {
      waiting.delete(account)
      if (!(await sending.start(account, onEnd))) waiting.end(account)
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      resting = new AbortController()
      await take().catch(error =>
        log.error({ err: error }, 'Could not look for messages to send; will retry'),
      )
      const signal = AbortSignal.any([stopping.signal, resting.signal])
      if (!waiting.isTimeToLook()) await pause(tickMs, null, { signal }).catch(() => {})
    }
  }

  const unlisten = onOutgoing((project_id, account) => {
    const [name, account_id] = account.split(':')
    if (name !== deps.channel.name || !account_id) return
    waiting.add({ project_id, account_id })
    resting.abort()
  })
  const following = follow()
  return {
    async stop() {
      unlisten()
      stopping.abort()
      await following
      await Promise.all(sending.running.keys())
    },
  }
}
