import type { Db } from '../core/db.ts'
import type { DueRow } from '../core/due-work.ts'
import { hearing } from '../events/bell.ts'
import { type Behind, createLook, type Seen } from './look.ts'
import { listDueTargets, postponeTargets } from './next-due.ts'

/** Milliseconds between checks while something is due. Notifications are only hints. */
const busyPace = 250

/** Milliseconds between checks while nothing is due and notifications arrive. Work that falls due sooner is known in advance. */
const idlePace = 1_000

/** Milliseconds without due deliveries before a subscription is postponed. Otherwise a busy one would be postponed after each event. */
const quiet = 2_000

/** Milliseconds by which a timer may fire early, or the clocks of two processes may differ. */
const shortest = 5

export interface Backlog {
  /** Finds subscriptions with due deliveries, and returns how long to wait before the next check. */
  look(): Promise<{ behind: Behind[]; wait: number }>
  /** The subscriptions that the last check found. */
  seen(): readonly Seen[]
}

const isBehind = (one: Seen): one is Seen & Behind => one.since !== null

/** Follows the subscriptions that have something to do. In an idle installation, this takes one statement a second. */
export function followBacklog(db: Db, clock = () => performance.now()): Backlog {
  const look = createLook(db, clock)
  const quietSince = new Map<string, number>()
  let seen: Seen[] = []

  /** The subscriptions that have been quiet long enough. */
  function findQuiet(due: readonly DueRow[], behind: readonly Behind[]): DueRow[] {
    const now = clock()
    const busy = new Set(behind.map(one => one.webhook_id))
    const idle = due.filter(({ subject_id }) => !busy.has(subject_id))
    const known = new Set(idle.map(one => one.subject_id))
    for (const id of quietSince.keys()) if (!known.has(id)) quietSince.delete(id)
    for (const id of known) if (!quietSince.has(id)) quietSince.set(id, now)
    return idle.filter(({ subject_id }) => now - quietSince.get(subject_id)! >= quiet)
  }

  async function putOffQuiet(due: readonly DueRow[], behind: readonly Behind[]): Promise<void> {
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
      const pace = hearing.isLost ? busyPace : idlePace
      const rows = await listDueTargets(db, pace)
      const due = rows.filter(({ wait }) => wait <= 0)
      seen = due.length ? await look(due) : []
      const behind = seen.filter(isBehind)
      await putOffQuiet(due, behind)
      const next = rows[due.length]?.wait ?? pace
      return { behind, wait: due.length ? busyPace : Math.max(next, 0) + shortest }
    },
  }
}
