import { setTimeout as pause } from 'node:timers/promises'
import { createRhythm } from '../../core/async/rhythm.ts'
import type { Db } from '../../core/db/db.ts'
import { type DueSubject, listDue, noteMissing, postpone } from '../../core/due/due-work.ts'
import { newId } from '../../core/ids.ts'
import type { Log } from '../../core/telemetry/log.ts'
import {
  type AccountTable,
  type ClaimedAccount,
  type FailedReceiving,
  insertAccountDue,
  listLeasedAccounts,
  lockDueAccounts,
  nextAccountDue,
  updateAccountFailed,
  updateAccountLeaseEnded,
  updateAccountLeases,
  waitingAccountsOf,
} from './lease-queries.ts'

/** Distributes a channel's accounts among processes: the process that holds an account's lease receives its messages. */

export interface ReceivingChannel<A extends ClaimedAccount> {
  table: AccountTable
  /** Receives messages until stopped, or rejects. */
  receive(account: A, stopping: AbortSignal): Promise<void>
  describeFailure(error: unknown, account: A): FailedReceiving
  logFailure(error: unknown, account: A, failure: FailedReceiving): void
}

interface ReceivingDeps {
  db: Db
  log: Log
  /** Shorter times for tests, in milliseconds. */
  tickMs?: number
}

/** Milliseconds. */
const usualTickMs = 1_000
const renewEveryMs = 8_000
const checkEveryMs = 60_000

/** The maximum number of accounts that one query claims. */
const maxClaimed = 50

/** The maximum number of accounts that a process holds. */
const maxHeld = 1_000

interface HeldAccount<A> {
  account: A
  stop: AbortController
  ended: Promise<void>
}

function createAccountSessions<A extends ClaimedAccount>(
  { db, log }: ReceivingDeps,
  channel: ReceivingChannel<A>,
  leaseId: string,
) {
  const { table } = channel
  const held = new Map<string, HeldAccount<A>>()

  /** Releases the lease, so that another process, or this one with the new settings, can continue immediately. */
  const release = (account: A, failure: FailedReceiving | null) =>
    db.begin(async sql => {
      if (failure) await updateAccountFailed(sql, table, account, failure)
      await updateAccountLeaseEnded(sql, table, leaseId, account)
      await insertAccountDue(sql, table, account)
    })

  async function run(account: A, stopping: AbortSignal): Promise<void> {
    let failure: FailedReceiving | null = null
    try {
      await channel.receive(account, stopping)
    } catch (error) {
      failure = stopping.aborted ? null : channel.describeFailure(error, account)
      if (failure) channel.logFailure(error, account, failure)
    }
    // If this fails, the lease expires.
    await release(account, failure).catch(error =>
      log.warn({ err: error, account: account.id }, 'Could not release the lease of an account'),
    )
  }

  function start(account: A): void {
    const stop = new AbortController()
    const ended = run(account, stop.signal).finally(() => held.delete(account.id))
    held.set(account.id, { account, stop, ended })
  }

  /** Ends the sessions of accounts that were changed, paused or deleted, or whose lease another process now holds. */
  async function check(isRenewal: boolean): Promise<void> {
    if (held.size === 0) return
    const accounts = [...held.values()].map(({ account }) => account)
    const rows = await (isRenewal ? updateAccountLeases : listLeasedAccounts)(db, table, leaseId, accounts)
    const versions = new Map(rows.map(({ id, version }) => [id, version]))
    for (const { account, stop } of held.values())
      if (accounts.includes(account) && versions.get(account.id) !== account.version) stop.abort()
  }

  return { held, start, check }
}

const keyOf = ({ project_id, subject_id }: DueSubject) => ({ project_id, id: subject_id })

/** Receives the messages of a channel's accounts until stopped. Any number of processes can run this. */
export function startReceivingAccounts<A extends ClaimedAccount>(
  deps: ReceivingDeps,
  channel: ReceivingChannel<A>,
): { stop(): Promise<void> } {
  const { db, log, tickMs = usualTickMs } = deps
  const { table } = channel
  const { kind } = table
  const leaseId = newId()
  const stopping = new AbortController()
  const { held, start, check } = createAccountSessions(deps, channel, leaseId)
  const isTimeToRenew = createRhythm(renewEveryMs)
  const isTimeToCheck = createRhythm(checkEveryMs)

  async function claim(): Promise<void> {
    const limit = Math.min(maxClaimed, maxHeld - held.size)
    const due = limit > 0 ? await listDue(db, [kind], 0, limit) : []
    if (due.length === 0) return
    const claimed = await lockDueAccounts<A>(db, table, leaseId, due.map(keyOf))
    for (const account of claimed) if (!held.has(account.id)) start(account)
    await postpone(db, kind, due, nextAccountDue(table))
  }

  async function tick(): Promise<void> {
    if (isTimeToCheck())
      await noteMissing(
        db,
        db`select ${kind}::text as kind, project_id, subject_id, due_at from (${waitingAccountsOf(table)(db)}) w`,
      )
    await check(isTimeToRenew())
    await claim()
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tick().catch(error =>
        log.error({ err: error, kind }, 'Could not look for due accounts; will retry'),
      )
      await pause(tickMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  const following = follow()
  return {
    async stop() {
      stopping.abort()
      await following
      const sessions = [...held.values()]
      for (const { stop } of sessions) stop.abort()
      await Promise.all(sessions.map(({ ended }) => ended))
    },
  }
}
