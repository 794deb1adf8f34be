import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Fragment, Sql } from '../core/db.ts'
import { listDue, noteMissing, postpone } from '../core/due-work.ts'
import type { Log } from '../core/log.ts'
import { onOutgoing } from '../events/notifier.ts'
import {
  type Account,
  type ClaimedMessage,
  lockQueued,
  nextOfAccount,
  updateLease,
  waitingAccounts,
} from './queue.ts'

/** Sends queued messages until stopped. Any number of processes can run this. */

/** How a channel sends. */
export interface OutgoingChannel {
  /** Locks the account. Returns whether one more of its messages may be sent now. */
  lockAccount(sql: Sql, account: Account): Promise<boolean>
  /** Sends a message and records the result. If it rejects, the message is retried when its lease ends. */
  send(claimed: ClaimedMessage, stopping: AbortSignal): Promise<void>
  /** Returns true if this process has a problem with the account, so that others go first. */
  isSlow(account: Account): boolean
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

const checkEveryMs = 60_000

const keyOf = ({ project_id, account_id }: Account): string => `${project_id} ${account_id}`

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
    const key = keyOf(account)
    return [...running.values()].filter(one => one === key).length
  }

  /** The account with the fewest running messages; null if none may start another one. A slow account gets only one connection, of half of all. */
  function findNext(accounts: Iterable<Account>): Account | null {
    const free = maxAtOnce - running.size
    if (free <= 0) return null
    const choices = [...accounts]
      .map(account => ({ account, count: countOf(account), isSlow: channel.isSlow(account) }))
      .filter(({ count, isSlow }) => (isSlow ? count === 0 && free > maxAtOnce / 2 : count < maxPerAccount))
      .sort((one, other) => one.count - other.count)
    return choices[0]?.account ?? null
  }

  const claim = (account: Account): Promise<ClaimedMessage | null> =>
    db.begin(async tx => {
      const sql = tx as unknown as Sql
      return (await channel.lockAccount(sql, account)) ? lockQueued(sql, account, leaseMs) : null
    }) as Promise<ClaimedMessage | null>

  /** Returns whether it found a message. */
  async function claimOne(account: Account, onEnd: (account: Account) => void): Promise<boolean> {
    const claimed = await claim(account)
    if (!claimed) return false
    const work = send(claimed).finally(() => {
      running.delete(work)
      onEnd(account)
    })
    running.set(work, keyOf(account))
    return true
  }

  return { running, findNext, claimOne }
}

/** Accounts that may have due messages. */
function createAccounts({ db }: WorkerDeps) {
  const accounts = new Map<string, Account>()
  let checkedAt = Number.NEGATIVE_INFINITY
  return {
    accounts,
    add: (account: Account) => void accounts.set(keyOf(account), account),
    delete: (account: Account) => void accounts.delete(keyOf(account)),
    async look(): Promise<void> {
      if (performance.now() - checkedAt > checkEveryMs) {
        checkedAt = performance.now()
        await noteMissing(
          db,
          db`select 'outgoing'::text as kind, w.* from (${waitingAccounts(db, db`true` as Fragment)}) w` as Fragment,
        )
      }
      for (const { project_id, subject_id } of await listDue(db, ['outgoing'], 0, 1_000))
        this.add({ project_id, account_id: subject_id })
    },
  }
}

export function startSending(deps: WorkerDeps, limits: SendingLimits = {}): { stop(): Promise<void> } {
  const { db, log } = deps
  const { leaseMs = 60_000, tickMs = 1_000, maxAtOnce = 32, maxPerAccount = 2 } = limits
  const stopping = new AbortController()
  let resting = new AbortController()
  const waiting = createAccounts(deps)
  const sending = createSending(deps, { leaseMs, tickMs, maxAtOnce, maxPerAccount }, stopping.signal)
  const wake = (account: Account): void => {
    waiting.add(account)
    resting.abort()
  }

  /** Claims messages until none are due or the limits are reached. */
  async function claimAll(): Promise<void> {
    const ended: Account[] = []
    const next = () => sending.findNext(waiting.accounts.values())
    for (let account = next(); account && !stopping.signal.aborted; account = next()) {
      waiting.delete(account)
      if (await sending.claimOne(account, wake)) waiting.add(account)
      else ended.push(account)
    }
    const done = ended.map(({ project_id, account_id }) => ({ project_id, subject_id: account_id }))
    await postpone(db, 'outgoing', done, nextOfAccount)
  }

  async function take(): Promise<void> {
    await claimAll()
    if (resting.signal.aborted) return
    await waiting.look()
    await claimAll()
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      resting = new AbortController()
      await take().catch(error =>
        log.error({ err: error }, 'Could not look for messages to send; will retry'),
      )
      const signal = AbortSignal.any([stopping.signal, resting.signal])
      await pause(tickMs, null, { signal }).catch(() => {})
    }
  }

  const unlisten = onOutgoing((project_id, account_id) => wake({ project_id, account_id }))
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
