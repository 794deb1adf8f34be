import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Fragment, Sql } from '../db/db.ts'
import type { Log } from '../telemetry/log.ts'
import { runTraced } from '../telemetry/traced-job.ts'
import { createPauses, type Pauses } from './due-pauses.ts'
import {
  type DueKind,
  type DueRow,
  listDue,
  type NextDue,
  noteMissing,
  postpone,
  type WaitingWork,
} from './due-work.ts'

/** A job that is run for each project that has work for it. */
export interface DueJob {
  name: string
  kind: DueKind
  waiting: WaitingWork
  /** Does some of a project's due work and returns how much it did. */
  run(db: Db, projectId: string): Promise<number>
}

/**
 * Milliseconds between checks. Work that falls due before the next check is known in advance and runs on time. If the check could not
 * know it, because a job was running or has set a new time, the next check follows immediately.
 */
const pollIntervalMs = 1_500

/** Milliseconds between two comparisons of waiting work with the table. */
const checkIntervalMs = 60_000

/** Milliseconds by which a timer may fire early. */
const minWaitMs = 5

const nextOf =
  ({ waiting }: DueJob): NextDue =>
  sql =>
    sql`(select min(w.due_at) from (${waiting(sql)}) w where w.project_id = h.project_id)`

const allWaiting = (sql: Sql, jobs: readonly DueJob[]): Fragment =>
  jobs
    .map(
      ({ kind, waiting }) =>
        sql`select ${kind}::text as kind, project_id, project_id as subject_id, due_at from (${waiting(sql)}) w`,
    )
    .reduce((all, one) => sql`${all} union all ${one}`)

interface Attempts {
  db: Db
  log: Log
  pauses: Pauses
}

/** Does some of the work and returns what happens to its row. */
async function attempt(job: DueJob, row: DueRow, { db, log, pauses }: Attempts) {
  try {
    const count = await runTraced(job.name, () => job.run(db, row.project_id))
    pauses.end(row)
    return count > 0 ? 'continue' : 'postpone'
  } catch (error) {
    const wait = pauses.begin(row)
    const where = { job: job.name, kind: row.kind, project: row.project_id }
    log.error({ err: error, ...where, retry_in_ms: wait }, 'Job failed; it will be retried')
    return 'retry'
  }
}

/**
 * Runs a job until nothing is due in these projects or the loop is stopped, then sets their next due times. Returns the milliseconds
 * until the first of them.
 */
async function runFor(
  job: DueJob,
  rows: readonly DueRow[],
  attempts: Attempts,
  stopping: AbortSignal,
): Promise<number> {
  const done: DueRow[] = []
  for (let left = rows; left.length && !stopping.aborted; ) {
    const more: DueRow[] = []
    for (const row of left) {
      const next = await attempt(job, row, attempts)
      if (next === 'continue') more.push(row)
      if (next === 'postpone') done.push(row)
    }
    left = more
  }
  return postpone(attempts.db, job.kind, done, nextOf(job))
}

type Look = () => Promise<number>

interface Deps {
  db: Db
  log: Log
  /** Wraps the check for due work to count its results. */
  count?(look: Look): Look
  /** The maximum number of rows of each kind that are taken at once. */
  maxRows?: number
  /** Milliseconds between checks. */
  interval?: number
}

/** A pause that can be ended early, even before it begins. */
function createPause(stopping: AbortSignal) {
  let cutSignal = new AbortController()
  return {
    cut: () => cutSignal.abort(),
    async rest(wait: number): Promise<void> {
      await pause(wait, null, { signal: AbortSignal.any([stopping, cutSignal.signal]) }).catch(() => {})
      if (cutSignal.signal.aborted) cutSignal = new AbortController()
    },
  }
}

function createMissingWorkCheck(db: Db, jobs: readonly DueJob[]): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - checkedAt < checkIntervalMs) return
    checkedAt = performance.now()
    await noteMissing(db, allWaiting(db, jobs))
  }
}

/** Runs these jobs when their work is due, independently of each other. */
export function startDueLoop(
  { db, log, count = look => look, maxRows = 1_000, interval = pollIntervalMs }: Deps,
  jobs: readonly DueJob[],
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = new Map<DueKind, Promise<void>>()
  /** Kinds with rows that became due while their job was running. */
  const missed = new Set<DueKind>()
  const pauses = createPauses()
  const kinds = jobs.map(job => job.kind)
  const { cut, rest } = createPause(stopping.signal)
  const check = createMissingWorkCheck(db, jobs)

  function startJob(job: DueJob, due: DueRow[], limit: number): void {
    const rows = due.filter(row => row.kind === job.kind)
    const ready = rows.filter(row => pauses.isOver(row))
    if (ready.length === 0) return
    if (running.has(job.kind)) return void missed.add(job.kind)
    const work = runFor(job, ready, { db, log, pauses }, stopping.signal)
      .then(wait => {
        if (missed.delete(job.kind) || rows.length >= limit || wait < interval) cut()
      })
      .catch(error =>
        log.error({ err: error, job: job.name }, 'Could not postpone finished work; will retry'),
      )
      .finally(() => running.delete(job.kind))
    running.set(job.kind, work)
  }

  const look = count(async () => {
    // Rows in the table are processed even if the check fails.
    const failure: unknown = await check().catch(error => error)
    const limit = maxRows + pauses.count()
    const rows = await listDue(db, kinds, interval, limit)
    const due = rows.filter(({ wait }) => wait <= 0)
    for (const job of jobs) startJob(job, due, limit)
    if (failure) throw failure
    return Math.min(rows[due.length]?.wait ?? interval, interval) + minWaitMs
  })

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const wait = await look().catch(error => {
        log.error({ err: error }, 'Could not check for due work; will retry')
        return interval
      })
      await rest(wait)
    }
  }

  const loop = run()
  return {
    async stop() {
      stopping.abort()
      await loop
      await Promise.all(running.values())
    },
  }
}
