import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../core/db/db.ts'
import type { DueSubject } from '../core/due/due-work.ts'
import { dueBy, isOfTarget, isUnclaimed } from './queries.ts'

/** A subscription with due deliveries that no process holds, and the time since when the first of them is due. */
export interface BackloggedTarget {
  project_id: string
  webhook_id: string
  since: string
}

/** A subscription that was checked. */
export interface TargetBacklog extends Omit<BackloggedTarget, 'since'> {
  is_deleted: boolean
  /** Whether it is disabled, or was enabled again: deliveries that were due before are cancelled. */
  cancels: boolean
  /** No waiting delivery is older than this. */
  begin: string
  /** Null if it has no due deliveries. */
  since: string | null
}

/** Statements and idle transactions time out long before that, so everything written is visible by then. */
const maxCommitInterval = '30 seconds'

/**
 * The waiting deliveries of subscriptions. Reads from shortly before the first delivery that the last check found, or from the
 * last check if it found none: everything before that has been sent. While a transaction holds a snapshot, the database keeps the
 * dead rows, so reading from the beginning would read everything that was sent since.
 */
const listBacklogs = (sql: Sql, targets: readonly DueSubject[], begins: Map<string, string>) => sql<
  TargetBacklog[]
>`
  select w.project_id, w.id as webhook_id, w.deleted_at is not null as is_deleted,
    not (w.is_active and w.active_since = '-infinity') as cancels,
    (least(first.run_at, now()) - ${maxCommitInterval}::interval)::text as begin, due.run_at::text as since
  from unnest(${targets.map(one => one.project_id)}::uuid[],
      ${targets.map(one => one.subject_id)}::uuid[],
      ${targets.map(one => begins.get(one.subject_id) ?? '-infinity')}::timestamptz[])
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

/** Milliseconds after which a check reads from the beginning, to find anything that was missed. */
const fullScanIntervalMs = 60_000

/** Checks subscriptions that have something to do. */
export function createBacklogFinder(sql: Sql, clock = () => performance.now()) {
  let begins = new Map<string, string>()
  let fullScanAt = Number.NEGATIVE_INFINITY
  return async (targets: readonly DueSubject[]): Promise<TargetBacklog[]> => {
    const now = clock()
    const isFullScan = now - fullScanAt > fullScanIntervalMs
    // Set this even if the check fails. Otherwise each later check would read from the beginning too.
    if (isFullScan) fullScanAt = now
    const seen = await listBacklogs(sql, targets, isFullScan ? new Map() : begins)
    if (isFullScan) begins = new Map()
    for (const { webhook_id, begin } of seen) begins.set(webhook_id, begin)
    return [...seen]
  }
}

/** After a check, the pause is this many times as long as the check took, so checks use at most a quarter of the time. */
const pauseFactor = 3

export interface Polling {
  /** Checks without waiting for the next regular time. */
  pollNow(): void
  stop(): Promise<void>
}

/** Checks repeatedly; `look` returns how long to wait. A slow check is followed by a longer pause, even after `pollNow`. */
export function startPolling(look: () => Promise<number>): Polling {
  let isStopped = false
  let pauseCut = Promise.withResolvers<void>()
  const cutPause = () => pauseCut.resolve()

  async function run(): Promise<void> {
    while (!isStopped) {
      pauseCut = Promise.withResolvers()
      const begunAt = performance.now()
      const wait = await look()
      const rest = pauseFactor * (performance.now() - begunAt)
      await pause(rest)
      const timing = new AbortController()
      await Promise.race([pauseCut.promise, pause(Math.max(wait - rest, 0), null, timing).catch(() => {})])
      timing.abort()
    }
  }

  const running = run()
  return {
    pollNow: cutPause,
    async stop() {
      isStopped = true
      cutPause()
      await running
    },
  }
}
