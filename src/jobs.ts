import { setTimeout as pause } from 'node:timers/promises'
import { findNotices, mailNotices, renewDue } from './billing/billing.ts'
import { callBackWith, deleteOldVisitors } from './channels/channels.ts'
import type { Config } from './core/config.ts'
import { restAfter } from './core/courtesy.ts'
import type { Vault } from './core/crypto.ts'
import type { Db } from './core/db.ts'
import type { Log } from './core/log.ts'
import { createMailer, type Mailer } from './core/mail.ts'
import { analyzeGrownTables } from './core/statistics.ts'
import { codeOfFailure, tell } from './core/trace.ts'
import { deleteOldEvents } from './events/retention.ts'
import { deleteExpiredExports, writeExports } from './exports/exports.ts'
import { deleteOldAnswers } from './keys/idempotency.ts'
import { deleteEndedWindows } from './limits/postgres.ts'
import { takeOffline } from './live/live.ts'
import {
  createStorages,
  deleteExpiredMedia,
  type Storages,
  signLinksWith,
  sweepStrays,
} from './media/media.ts'
import { endStatuses } from './operators/operators.ts'
import { deleteOldRequests } from './requests/requests.ts'
import { bringTagChanges } from './tags/tags.ts'
import { closeForgottenTickets, deleteOldMerges, sendDueMessages, wakeTickets } from './tickets/tickets.ts'
import { deleteEnded } from './users/users.ts'

/** Background work. Every job finds its own work in the tables, so nothing is queued and nothing can be lost. */
interface Job {
  name: string
  everyMs: number
  /** Does some of what is due and answers how much it was. */
  run(db: Db): Promise<number>
}

const jobsOf = ({ config, log }: Deps, storages: Storages, mailer: Mailer | null): Job[] => [
  { name: 'send scheduled messages', everyMs: 1_000, run: sendDueMessages },
  { name: 'wake snoozed tickets', everyMs: 1_000, run: wakeTickets },
  { name: 'take those offline who have gone', everyMs: 1_000, run: takeOffline },
  { name: 'end statuses that were until now', everyMs: 1_000, run: endStatuses },
  { name: 'bring changes of tags', everyMs: 1_000, run: bringTagChanges },
  { name: 'analyse grown tables', everyMs: 2_000, run: analyzeGrownTables },
  { name: 'renew plans', everyMs: 10_000, run: renewDue },
  { name: 'find renewals that will fail', everyMs: 60_000, run: findNotices },
  { name: 'warn of them', everyMs: 60_000, run: db => mailNotices(db, mailer, config.publicUrl) },
  { name: 'close forgotten tickets', everyMs: 60_000, run: closeForgottenTickets },
  { name: 'delete old events', everyMs: 60_000, run: db => deleteOldEvents(db, config) },
  { name: 'delete old requests', everyMs: 60_000, run: db => deleteOldRequests(db, config) },
  { name: 'delete ended rate windows', everyMs: 60_000, run: deleteEndedWindows },
  { name: 'delete unused files', everyMs: 60_000, run: deleteExpiredMedia },
  { name: 'remove stray objects', everyMs: 60_000, run: db => sweepStrays(db, storages, log) },
  { name: 'forget old merges', everyMs: 600_000, run: deleteOldMerges },
  { name: 'write exports', everyMs: 2_000, run: db => writeExports({ db, storages, log }) },
  { name: 'delete old exports', everyMs: 600_000, run: deleteExpiredExports },
  { name: 'delete ended sessions and links', everyMs: 600_000, run: deleteEnded },
  { name: 'forget visitors who stay away', everyMs: 600_000, run: db => deleteOldVisitors(db) },
  { name: 'delete old idempotency keys', everyMs: 600_000, run: deleteOldAnswers },
]

interface Deps {
  config: Config
  db: Db
  vault: Vault
  log: Log
}

/** Told of when there was something to do. */
async function runTold(job: Job, db: Db): Promise<number> {
  const startedAt = performance.now()
  const describe = (done: number, error?: string) => ({
    name: `job: ${job.name}`,
    startedAt,
    attributes: { 'deskbell.job.done': done },
    error: error ?? null,
  })
  try {
    const done = await job.run(db)
    if (done > 0) tell(() => describe(done))
    return done
  } catch (error) {
    tell(() => describe(0, codeOfFailure(error)))
    throw error
  }
}

/** Runs a job once: how long to wait before the next time. Nobody waits for what runs once a minute: it rests between. */
async function runOnce(job: Job, { db, log }: Pick<Deps, 'db' | 'log'>): Promise<number> {
  const startedAt = performance.now()
  try {
    if ((await runTold(job, db)) === 0) return job.everyMs
    return job.everyMs < 60_000 ? 0 : restAfter(performance.now() - startedAt)
  } catch (error) {
    log.error({ err: error, job: job.name }, 'job failed; it is tried again')
    return job.everyMs
  }
}

/** Runs a job until nothing is due, then again after its pause; an error waits for the next time. */
function repeat(job: Job, deps: Pick<Deps, 'db' | 'log'>, first: number): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const work = async () => {
    let rest = first
    while (!stopping.signal.aborted) {
      await pause(rest, null, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) rest = await runOnce(job, deps)
    }
  }
  const working = work()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

export function startJobs(deps: Deps): { stop(): Promise<void> } {
  signLinksWith(deps.vault)
  callBackWith(deps)
  const jobs = jobsOf(deps, createStorages(deps), createMailer(deps.config))
  // One after the other they share a connection, where all at once each would open its own.
  const running = jobs.map((job, index) => repeat(job, deps, (index * 1_000) / jobs.length))
  return {
    async stop() {
      await Promise.all(running.map(job => job.stop()))
    },
  }
}
