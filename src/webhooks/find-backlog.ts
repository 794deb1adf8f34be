import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../core/db.ts'
import type { DueSubject } from '../core/due-work.ts'
import { dueBy, isOfTarget, isUnclaimed } from './queries.ts'

/** A subscription with deliveries that are due and that nobody has in hand; the first of them since then. */
export interface BackloggedTarget {
  project_id: string
  webhook_id: string
  since: string
}

/** A subscription that was looked at. */
export interface TargetBacklog extends Omit<BackloggedTarget, 'since'> {
  is_deleted: boolean
  /** It is off, or was switched on again: what was due before is cancelled. */
  cancels: boolean
  /** Nothing that waits is older. */
  begin: string
  /** Null when it is not behind. */
  since: string | null
}

/** Statements and idle transactions are ended long before that: what is written appears by then. */
const maxCommitInterval = '30 seconds'

/**
 * What waits for subscriptions. Begins shortly before where the last look found the first delivery, or when it found none: what
 * is before was sent, and where somebody holds a snapshot the database keeps all of that, so that a look from the beginning
 * reads everything that was sent since.
 */
const listBacklogs = (sql: Sql, targets: readonly DueSubject[], begins: Map<string, string>) => sql<
  TargetBacklog[]
>`
  select w.project_id, w.id as webhook_id, w.deleted_at is not null as is_deleted,
    not (w.is_active and w.active_since = '-infinity') as cancels,
    (least(first.run_at, now()) - ${maxCommitInterval}::interval)::text as begin, due.run_at::text as since
  from unnest(${targets.map(one => one.project_id) as never}::uuid[],
      ${targets.map(one => one.subject_id) as never}::uuid[],
      ${targets.map(one => begins.get(one.subject_id) ?? '-infinity') as never}::timestamptz[])
      as asked (project_id, webhook_id, begin)
    join webhooks w on w.project_id = asked.project_id and w.id = asked.webhook_id
    left join lateral (
      select q.run_at from webhook_queue q
      where ${isOfTarget(sql)} and q.run_at >= least(asked.begin, now() - ${maxCommitInterval}::interval)
      order by q.run_at limit 1) first on true
    left join lateral (
      select q.run_at from webhook_queue q
      where ${isOfTarget(sql)} and w.is_active and w.deleted_at is null and q.run_at >= first.run_at
        and q.run_at > w.active_since and q.run_at <= ${dueBy(sql)} and ${isUnclaimed(sql)}
      order by q.run_at limit 1) due on true`

/** Once in so many milliseconds a look begins at the beginning: whatever was overlooked is found then. */
const fullScanIntervalMs = 60_000

/** Looks at subscriptions that have something to do. */
export function createBacklogFinder(sql: Sql, clock = () => performance.now()) {
  let begins = new Map<string, string>()
  let wholeAt = Number.NEGATIVE_INFINITY
  return async (targets: readonly DueSubject[]): Promise<TargetBacklog[]> => {
    const now = clock()
    const isWhole = now - wholeAt > fullScanIntervalMs
    // Also of one that fails, or each one after it would begin at the beginning too.
    if (isWhole) wholeAt = now
    const seen = await listBacklogs(sql, targets, isWhole ? new Map() : begins)
    if (isWhole) begins = new Map()
    for (const { webhook_id, begin } of seen) begins.set(webhook_id, begin)
    return [...seen]
  }
}

/** So many times as long as a look took nobody looks again: of the time, looks get a quarter. */
const pauseFactor = 3

export interface Polling {
  /** Does not wait for the next time. */
  pollNow(): void
  stop(): Promise<void>
}

/** Looks again and again; `look` says how long to wait. One that takes long rests for longer, also when it is hurried. */
export function startPolling(look: () => Promise<number>): Polling {
  let isStopped = false
  let hurrying = Promise.withResolvers<void>()
  const hurry = () => hurrying.resolve()

  async function run(): Promise<void> {
    while (!isStopped) {
      hurrying = Promise.withResolvers()
      const begunAt = performance.now()
      const wait = await look()
      const rest = pauseFactor * (performance.now() - begunAt)
      await pause(rest)
      const timing = new AbortController()
      await Promise.race([hurrying.promise, pause(Math.max(wait - rest, 0), null, timing).catch(() => {})])
      timing.abort()
    }
  }

  const running = run()
  return {
    pollNow: hurry,
    async stop() {
      isStopped = true
      hurry()
      await running
    },
  }
}
