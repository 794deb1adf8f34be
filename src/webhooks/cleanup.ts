import { setTimeout as pause } from 'node:timers/promises'
import { inTime } from '../core/async/in-time.ts'
import { pauseAfter } from '../core/async/pacing.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { Backlog } from './backlog.ts'
import {
  deleteEmptyWebhooks,
  deleteHistoryOfDeleted,
  deleteOldHistory,
  deleteOrphans,
  deleteQueueOfDeleted,
  updateDelayed,
  updateDueToCancelled,
} from './cleanup-queries.ts'
import type { TargetBacklog } from './find-backlog.ts'
import { noteMissingDeliveries } from './next-due.ts'

interface CleanupTask {
  every: number
  /** Rows per statement. If a statement reaches it, another follows after a pause. */
  batch: number
  run(db: Db, batch: number): Promise<number>
}

/** The first three tasks concern subscriptions that the last check found, and run no query if there are none. */
const tasksOf = ({ seen }: Backlog, delays: readonly number[]): CleanupTask[] => [
  { every: 250, batch: 500, run: (db, batch) => updateDueToCancelled(db, seen().filter(cancels), batch) },
  {
    every: 1_000,
    batch: 1_000,
    run: (db, batch) => deleteQueueOfDeleted(db, seen().filter(isDeleted), batch),
  },
  {
    every: 1_000,
    batch: 1_000,
    run: (db, batch) => deleteHistoryOfDeleted(db, seen().filter(isDeleted), batch),
  },
  { every: 15_000, batch: 1_000, run: (db, batch) => updateDelayed(db, delays, batch) },
  { every: 60_000, batch: Number.POSITIVE_INFINITY, run: noteMissingDeliveries },
  { every: 60_000, batch: 1_000, run: deleteOrphans },
  { every: 60_000, batch: 1_000, run: deleteOldHistory },
  { every: 60_000, batch: Number.POSITIVE_INFINITY, run: deleteEmptyWebhooks },
]

const cancels = (one: TargetBacklog): boolean => one.cancels && !one.is_deleted
const isDeleted = (one: TargetBacklog): boolean => one.is_deleted

/** Statements time out after 9 s; one that takes longer has lost its connection. */
const taskTimeoutMs = 13_000

interface CleanupDeps {
  db: Db
  log: Log
  backlog: Backlog
  /** Milliseconds before the second and each later attempt. */
  delays: readonly number[]
}

/** Deletes what must not be sent or kept any more, one small batch at a time, so that it does not delay other work. */
export function startCleanup({ db, log, backlog, delays }: CleanupDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const startedAt = performance.now()
  const dueAt = new Map(tasksOf(backlog, delays).map(task => [task, startedAt + Math.min(task.every, 1_000)]))

  async function perform(task: CleanupTask): Promise<void> {
    const startedTaskAt = performance.now()
    const count = await inTime(task.run(db, task.batch), taskTimeoutMs).catch((error: unknown) => {
      log.warn({ err: error }, 'Could not clean up webhook deliveries; will retry')
      return 0
    })
    const endedAt = performance.now()
    const rest = pauseAfter(endedAt - startedTaskAt)
    dueAt.set(task, endedAt + (count >= task.batch ? rest : Math.max(task.every, rest)))
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rest = Math.min(...dueAt.values()) - performance.now()
      await pause(Math.max(rest, 0), null, { signal: stopping.signal }).catch(() => {})
      for (const [task, time] of dueAt) {
        if (time <= performance.now() && !stopping.signal.aborted) await perform(task)
      }
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
