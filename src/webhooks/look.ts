import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../core/db.ts'
import { dueBy, isFree, isOfTarget } from './queries.ts'

/** A subscription with deliveries that are due and that nobody has in hand; the first of them since then. */
export interface Behind {
  project_id: string
  webhook_id: string
  since: string
}

/** What a look found, for the next one to begin there. */
interface Known {
  at: string
  waiting: { webhook_id: string; first: string }[]
}

const nothing: Known = { at: '-infinity', waiting: [] }

/** Statements and idle transactions are ended long before that: what is written appears by then. */
const late = '30 seconds'

interface Found {
  at: string
  project_id: string | null
  webhook_id: string
  first: string
  since: string | null
}

/**
 * What waits for each active subscription that anything waits for. Begins shortly before where the last look found the first
 * delivery, or when it found none: what is before was sent, and where somebody holds a snapshot the database keeps all
 * of that, so that a look from the beginning reads everything that was sent since.
 */
const findWaiting = (sql: Sql, { at, waiting }: Known) => sql<Found[]>`
  select now()::text as at, found.* from (values (1)) as always left join (
    select w.project_id, w.id as webhook_id, first.run_at::text as first, due.run_at::text as since
    from webhooks w
      left join unnest(${waiting.map(one => one.webhook_id) as never}::uuid[],
        ${waiting.map(one => one.first) as never}::timestamptz[]) as known (webhook_id, first) on known.webhook_id = w.id
      cross join lateral (
        select q.run_at from webhook_queue q
        where ${isOfTarget(sql)}
          and q.run_at >= least(coalesce(known.first, ${at}::timestamptz), now()) - ${late}::interval
        order by q.run_at limit 1) first
      left join lateral (
        select q.run_at from webhook_queue q
        where ${isOfTarget(sql)} and q.run_at >= first.run_at
          and q.run_at > w.active_since and q.run_at <= ${dueBy(sql)} and ${isFree(sql)}
        order by q.run_at limit 1) due on true
    where w.is_active and w.deleted_at is null) found on true`

/** Once in so many milliseconds a look begins at the beginning: whatever was overlooked is found then. */
const wholeEvery = 60_000

/** Finds the subscriptions that are behind. */
export function createLook(sql: Sql, clock = () => performance.now()): () => Promise<Behind[]> {
  let known = nothing
  let wholeAt = Number.NEGATIVE_INFINITY
  return async () => {
    const now = clock()
    const isWhole = now - wholeAt > wholeEvery
    // Also of one that fails, or each one after it would begin at the beginning too.
    if (isWhole) wholeAt = now
    const rows = await findWaiting(sql, isWhole ? nothing : known)
    const waiting = rows.filter(row => row.project_id !== null)
    known = { at: rows[0]!.at, waiting: waiting.map(({ webhook_id, first }) => ({ webhook_id, first })) }
    return waiting.filter(row => row.since !== null) as Behind[]
  }
}

/** Bells are hints only, and retries fall due without one. */
const every = 250

/** So many times as long as a look took nobody looks again: of the time, looks get a quarter. */
const rests = 3

export interface Looking {
  /** Does not wait for the next time. */
  hurry(): void
  stop(): Promise<void>
}

/** Looks again and again; a look that takes long rests for longer, also when it is hurried. */
export function startLooking(look: () => Promise<void>): Looking {
  let isStopped = false
  let hurrying = Promise.withResolvers<void>()
  const hurry = () => hurrying.resolve()

  async function run(): Promise<void> {
    while (!isStopped) {
      hurrying = Promise.withResolvers()
      const begunAt = performance.now()
      await look()
      const rest = rests * (performance.now() - begunAt)
      await pause(rest)
      const timing = new AbortController()
      await Promise.race([hurrying.promise, pause(Math.max(every - rest, 0), null, timing).catch(() => {})])
      timing.abort()
    }
  }

  const running = run()
  return {
    hurry,
    async stop() {
      isStopped = true
      hurry()
      await running
    },
  }
}
