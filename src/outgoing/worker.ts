import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Sql } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { createCapacity } from './capacity.ts'
import { createDueAccounts } from './due-accounts.ts'
import { measureSending } from './outgoing-metrics.ts'
import { type Account, type ClaimedMessage, type HeldAccounts, lockQueued, updateLease } from './queue.ts'
import { type OutgoingName, outgoingSignals } from './signals.ts'

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

/** The maximum number of accounts whose messages are claimed concurrently. */
const maxClaims = 4

function createSending(
  { db, log, channel }: WorkerDeps,
  { leaseMs, maxAtOnce, maxPerAccount }: Required<SendingLimits>,
  stopping: AbortSignal,
) {
  const running = new Set<Promise<void>>()
  const capacity = createCapacity({ maxAtOnce, maxPerAccount }, channel.isSlow)

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

  const claim = (account: Account, max: number): Promise<ClaimedMessage[]> =>
    db.begin(async sql => {
      // The channel commits again before it sends, which also flushes the claim to disk. A message whose claim was lost is not sent.
      await sql`select set_config('synchronous_commit', 'off', true)`
      const limit = Math.min(max, await channel.lockAccount(sql, account))
      return limit > 0 ? lockQueued(sql, account, { channel: channel.name, limit, leaseMs }) : []
    })

  /** Sends as many messages as allowed. Returns whether the account may have more, which are claimed when one of these ends. */
  async function start(account: Account, onEnd: (hasMore: boolean) => void): Promise<boolean> {
    const max = capacity.countFree(account)
    capacity.change(account, max)
    const messages = await claim(account, max).catch(error => {
      capacity.change(account, -max)
      throw error
    })
    capacity.change(account, messages.length - max)
    const hasMore = messages.length === max && !channel.isPaced
    for (const claimed of messages) {
      const work = send(claimed).finally(() => {
        running.delete(work)
        capacity.change(account, -1)
        onEnd(hasMore)
      })
      running.add(work)
    }
    return hasMore
  }

  return { running, start, findNext: capacity.findNext }
}

const logFailure = (log: Log) => (error: unknown) =>
  log.error({ err: error }, 'Could not look for messages to send; will retry')

/** Claims and sends messages until none are due or the limits are reached. A locked account does not delay other accounts. */
function createClaiming(
  log: Log,
  waiting: ReturnType<typeof createDueAccounts>,
  sending: ReturnType<typeof createSending>,
  wake: () => void,
) {
  const claims = new Set<Promise<void>>()
  const goOn = () => {
    if (waiting.accounts.size > 0) wake()
  }

  async function claimFrom(account: Account): Promise<void> {
    waiting.delete(account)
    const hasMore = await sending.start(account, isMore => {
      if (isMore) waiting.add(account)
      goOn()
    })
    if (!hasMore) waiting.end(account)
  }

  function claimAll(): void {
    const next = () => (claims.size < maxClaims ? sending.findNext(waiting.accounts.values()) : null)
    for (let account = next(); account; account = next()) {
      const claim: Promise<void> = claimFrom(account)
        .catch(logFailure(log))
        .finally(() => {
          claims.delete(claim)
          goOn()
        })
      claims.add(claim)
    }
  }

  return { claims, claimAll }
}

export function startSending(deps: WorkerDeps, limits: SendingLimits = {}): { stop(): Promise<void> } {
  const { db, log, channel } = deps
  const { leaseMs = 60_000, tickMs = 1_000, maxAtOnce = 32, maxPerAccount = 2 } = limits
  const stopping = new AbortController()
  let resting = new AbortController()
  const waiting = createDueAccounts(db, channel)
  const sending = createSending(deps, { leaseMs, tickMs, maxAtOnce, maxPerAccount }, stopping.signal)
  const { claims, claimAll } = createClaiming(log, waiting, sending, () => resting.abort())

  /** Looks for due accounts regularly, even while known accounts always have messages. Sending continues during the lookup. */
  async function lookUp(): Promise<void> {
    const { signal } = stopping
    while (!signal.aborted) {
      await waiting.look().catch(logFailure(log))
      resting.abort()
      await pause(tickMs, null, { signal }).catch(() => {})
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      resting = new AbortController()
      claimAll()
      const signal = AbortSignal.any([stopping.signal, resting.signal])
      await pause(tickMs, null, { signal }).catch(() => {})
    }
  }

  const unlisten = outgoingSignals[channel.name].on((project_id, account_id) => {
    waiting.add({ project_id, account_id })
    resting.abort()
  })
  const unmeasure = measureSending(db)
  const working = Promise.all([lookUp(), follow()])
  return {
    async stop() {
      unlisten()
      unmeasure()
      stopping.abort()
      await working
      await Promise.all(claims)
      await Promise.all(sending.running)
    },
  }
}
