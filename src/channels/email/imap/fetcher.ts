import { setTimeout as pause } from 'node:timers/promises'
import { createRhythm } from '../../../core/async/rhythm.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db, Sql } from '../../../core/db/db.ts'
import { listDue, noteDueRows, noteMissing, postpone } from '../../../core/due/due-work.ts'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import { newId } from '../../../core/ids.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { Storages } from '../../../media/media.ts'
import { describeFailure, type MailboxFailure } from '../mailboxes/failure.ts'
import type { FaultCode } from '../mailboxes/fault.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { measureFetching, noteFetched } from '../mailboxes/mailbox-metrics.ts'
import {
  listLeased,
  lockDueMailboxes,
  nextMailboxDue,
  updateLeaseEnded,
  updateLeases,
  updateMailboxFailed,
  waitingMailboxes,
} from '../mailboxes/queries.ts'
import { runSession } from './session.ts'

/** Distributes mailboxes among processes: the process that holds a mailbox's lease fetches it. */

export interface FetchDeps {
  db: Db
  vault: Vault
  storages: Storages
  log: Log
  mayReach: MayReach
}

/** Milliseconds. */
const tickMs = 1_000
const renewEveryMs = 8_000
const checkEveryMs = 60_000
const minPauseMs = 5_000
const maxPauseMs = 15 * 60_000
const maxRequestedMs = 60 * 60_000
const cutOffPauseMs = 200

/** Providers may lock an account after many failed logins. */
const loginPauseMs = 60_000
const maxLogins = 3

/** The maximum number of mailboxes that one query claims. */
const maxClaimed = 50

interface Held {
  mailbox: FetchedMailbox
  stop: AbortController
  ended: Promise<void>
}

const isLogin = (code: FaultCode): boolean => code === 'login_refused' || code === 'access_denied'

/** Whether someone has to correct the settings. If the login has worked before, a rejection may be temporary, so it is retried. */
function isBroken({ code, isFinal }: MailboxFailure, { last_ok_at, failures }: FetchedMailbox): boolean {
  if (isFinal) return true
  return isLogin(code) && (last_ok_at === null || failures + 1 >= maxLogins)
}

function pauseFor({ code, waitMs }: MailboxFailure, failures: number): number {
  // The email is skipped after three attempts. Short pauses keep it from delaying later emails.
  if (code === 'mail_cut_off') return cutOffPauseMs
  const usual = Math.min(minPauseMs * 2 ** Math.min(failures, 20), maxPauseMs)
  if (waitMs !== undefined) return Math.min(Math.max(waitMs, minPauseMs), maxRequestedMs)
  return isLogin(code) ? Math.max(usual, loginPauseMs) : usual
}

const dueNow = (sql: Sql, { project_id, id }: Pick<FetchedMailbox, 'project_id' | 'id'>) =>
  noteDueRows(
    sql,
    'mailboxes',
    sql`select ${project_id}::uuid as project_id, ${id}::uuid as subject_id, now() as due_at`,
  )

/** Releases the lease, so that another process, or this one with the new settings, can continue immediately. */
const release = (db: Db, leaseId: string, mailbox: FetchedMailbox, failure: MailboxFailure | null) =>
  db.begin(async tx => {
    const { project_id, id, failures } = mailbox
    if (failure)
      await updateMailboxFailed(tx, project_id, id, {
        version: mailbox.version,
        fault: { code: failure.code, values: failure.values },
        waitMs: pauseFor(failure, failures),
        isBroken: isBroken(failure, mailbox),
      })
    await updateLeaseEnded(tx, leaseId, project_id, id)
    await dueNow(tx, mailbox)
  })

function createSessions(deps: FetchDeps, leaseId: string) {
  const { db, log } = deps
  const held = new Map<string, Held>()

  /** A successful session resets the failure count. */
  async function run(mailbox: FetchedMailbox, stopping: AbortSignal): Promise<void> {
    let hasWorked = false
    const onFetched = (receivedAt: Date | null) => {
      hasWorked = true
      noteFetched(receivedAt)
    }
    try {
      await runSession({ ...deps, stopping, onFetched }, mailbox)
      await release(db, leaseId, mailbox, null)
    } catch (error) {
      const failure = describeFailure(error, mailbox.imap!)
      const where = { mailbox: mailbox.address, code: failure.code }
      log.warn({ err: error, ...where }, 'Could not fetch a mailbox')
      await release(db, leaseId, hasWorked ? { ...mailbox, failures: 0 } : mailbox, failure).catch(
        // The lease then expires.
        (lost: unknown) =>
          log.warn({ err: lost, ...where }, 'Could not record why fetching a mailbox failed'),
      )
    }
  }

  function start(mailbox: FetchedMailbox): void {
    const stop = new AbortController()
    const ended = run(mailbox, stop.signal).finally(() => held.delete(mailbox.id))
    held.set(mailbox.id, { mailbox, stop, ended })
  }

  /** Ends the sessions of mailboxes that were changed, paused or deleted, or whose lease another process now holds. */
  async function check(isRenewal: boolean): Promise<void> {
    if (held.size === 0) return
    const mailboxes = [...held.values()].map(({ mailbox }) => mailbox)
    const rows = await (isRenewal ? updateLeases : listLeased)(db, leaseId, mailboxes)
    const versions = new Map(rows.map(({ id, version }) => [id, version]))
    for (const { mailbox, stop } of held.values())
      if (mailboxes.includes(mailbox) && versions.get(mailbox.id) !== mailbox.version) stop.abort()
  }

  return { held, start, check }
}

/** Fetches mailboxes until stopped. */
export function startFetching(deps: FetchDeps): { stop(): Promise<void> } {
  const { db, log } = deps
  const leaseId = newId()
  const stopping = new AbortController()
  const { held, start, check } = createSessions(deps, leaseId)
  const isTimeToRenew = createRhythm(renewEveryMs)
  const isTimeToCheck = createRhythm(checkEveryMs)

  async function claim(): Promise<void> {
    const due = await listDue(db, ['mailboxes'], 0, maxClaimed)
    if (due.length === 0) return
    const claimed = await lockDueMailboxes(db, leaseId, due)
    for (const mailbox of claimed) if (!held.has(mailbox.id)) start(mailbox)
    await postpone(db, 'mailboxes', due, nextMailboxDue)
  }

  async function tick(): Promise<void> {
    if (isTimeToCheck())
      await noteMissing(
        db,
        db`select 'mailboxes'::text as kind, project_id, subject_id, due_at from (${waitingMailboxes(db)}) w`,
      )
    await check(isTimeToRenew())
    await claim()
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tick().catch(error => log.error({ err: error }, 'Could not look for due mailboxes; will retry'))
      await pause(tickMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  const following = follow()
  const unmeasure = measureFetching(db)
  return {
    async stop() {
      stopping.abort()
      unmeasure()
      await following
      const sessions = [...held.values()]
      for (const { stop } of sessions) stop.abort()
      await Promise.all(sessions.map(({ ended }) => ended))
    },
  }
}
