import type { Db } from '../core/db.ts'
import type { DueRow } from '../core/due-work.ts'
import { notifierHealth } from '../events/notifier.ts'
import { type BackloggedTarget, createBacklogFinder, type TargetBacklog } from './find-backlog.ts'
import { listDueTargets, postponeTargets } from './next-due.ts'

/** Milliseconds between looks while something is due: a bell is a hint only. */
const busyIntervalMs = 250

/** While nothing is due and bells are heard. What falls due sooner is written down, and looked at on time. */
const idleIntervalMs = 1_000

/** So long nothing of a subscription was behind before it is put off: a busy one would be put off for each event. */
const quietAfterMs = 2_000

/** Milliseconds that a timer may fire early, or the clocks of two processes differ. */
const minWaitMs = 5

export interface Backlog {
  /** Finds who is behind, and answers how long to wait for the next look. */
  look(): Promise<{ behind: BackloggedTarget[]; wait: number }>
  /** What the last look saw. */
  seen(): readonly TargetBacklog[]
}

const isBehind = (one: TargetBacklog): one is TargetBacklog & BackloggedTarget => one.since !== null

/** Follows the subscriptions that have something to do: an idle installation is asked one statement a second. */
export function createBacklog(db: Db, clock = () => performance.now()): Backlog {
  const look = createBacklogFinder(db, clock)
  const quietSince = new Map<string, number>()
  let seen: TargetBacklog[] = []

  /** Those that were quiet for long enough. */
  function findQuiet(due: readonly DueRow[], behind: readonly BackloggedTarget[]): DueRow[] {
    const now = clock()
    const busy = new Set(behind.map(one => one.webhook_id))
    const idle = due.filter(({ subject_id }) => !busy.has(subject_id))
    const known = new Set(idle.map(one => one.subject_id))
    for (const id of quietSince.keys()) if (!known.has(id)) quietSince.delete(id)
    for (const id of known) if (!quietSince.has(id)) quietSince.set(id, now)
    return idle.filter(({ subject_id }) => now - quietSince.get(subject_id)! >= quietAfterMs)
  }

  async function putOffQuiet(due: readonly DueRow[], behind: readonly BackloggedTarget[]): Promise<void> {
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
      const pace = notifierHealth.isLost ? busyIntervalMs : idleIntervalMs
      const rows = await listDueTargets(db, pace)
      const due = rows.filter(({ wait }) => wait <= 0)
      seen = due.length ? await look(due) : []
      const behind = seen.filter(isBehind)
      await putOffQuiet(due, behind)
      const next = rows[due.length]?.wait ?? pace
      return { behind, wait: due.length ? busyIntervalMs : Math.max(next, 0) + minWaitMs }
    },
  }
}
