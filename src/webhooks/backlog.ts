import type { Db } from '../core/db/db.ts'
import type { DueRow } from '../core/due/due-work.ts'
import { notifierHealth } from '../events/notifier.ts'
import { type BackloggedTarget, createBacklogFinder, type TargetBacklog } from './find-backlog.ts'
import { listDueTargets, postponeTargets } from './next-due.ts'

/** Milliseconds between checks while something is due. Notifications are only hints. */
const busyIntervalMs = 250

/** Milliseconds between checks while nothing is due and notifications arrive. Work that falls due sooner is known in advance. */
const idleIntervalMs = 1_000

/** Milliseconds without due deliveries before a subscription is postponed. Otherwise a busy one would be postponed after each event. */
const quietAfterMs = 2_000

/** Milliseconds by which a timer may fire early, or the clocks of two processes may differ. */
const minWaitMs = 5

export interface Backlog {
  /** Finds subscriptions with due deliveries, and returns how long to wait before the next check. */
  look(): Promise<{ backlogged: BackloggedTarget[]; wait: number }>
  /** The subscriptions that the last check found. */
  seen(): readonly TargetBacklog[]
}

const isBehind = (one: TargetBacklog): one is TargetBacklog & BackloggedTarget => one.since !== null

/** Tracks the subscriptions that have something to do. In an idle installation, this takes one statement a second. */
export function createBacklog(db: Db, clock = () => performance.now()): Backlog {
  const look = createBacklogFinder(db, clock)
  const quietSince = new Map<string, number>()
  let seen: TargetBacklog[] = []

  /** The subscriptions that have been quiet long enough. */
  function findQuiet(due: readonly DueRow[], behind: readonly BackloggedTarget[]): DueRow[] {
    const now = clock()
    const busy = new Set(behind.map(one => one.webhook_id))
    const idle = due.filter(({ subject_id }) => !busy.has(subject_id))
    const known = new Set(idle.map(one => one.subject_id))
    for (const id of quietSince.keys()) if (!known.has(id)) quietSince.delete(id)
    for (const id of known) if (!quietSince.has(id)) quietSince.set(id, now)
    return idle.filter(({ subject_id }) => now - quietSince.get(subject_id)! >= quietAfterMs)
  }

  async function postponeQuiet(due: readonly DueRow[], behind: readonly BackloggedTarget[]): Promise<void> {
    const begins = new Map(seen.map(one => [one.webhook_id, one.begin]))
    const rows = findQuiet(due, behind).map(({ project_id, subject_id }) => ({
      project_id,
      subject_id,
      since: begins.get(subject_id) ?? '-infinity',
    }))
    await postponeTargets(db, rows)
  }

  return {
    seen: () => seen,
    async look() {
      const intervalMs = notifierHealth.isLost ? busyIntervalMs : idleIntervalMs
      const rows = await listDueTargets(db, intervalMs)
      const due = rows.filter(({ wait }) => wait <= 0)
      seen = due.length ? await look(due) : []
      const backlogged = seen.filter(isBehind)
      await postponeQuiet(due, backlogged)
      const next = rows[due.length]?.wait ?? intervalMs
      return { backlogged, wait: due.length ? busyIntervalMs : Math.max(next, 0) + minWaitMs }
    },
  }
}
