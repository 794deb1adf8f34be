import pLimit, { type LimitFunction } from 'p-limit'
import { type Db, isTimeout, type Sql } from './db.ts'
import { refuse } from './errors.ts'

/** Lists that may have to read more than people wait for: what is not in memory yet, or a filter that fits next to nothing. */

/** Milliseconds, with the time in line. What a statement has read before it was ended, the next one finds in memory. */
const deadlineMs = { find: 5_000, count: 1_000 }

/** Leaves the next statements what is left of the time: called between those of one work. */
type RenewTimeout = () => Promise<unknown>
type Work<T> = (own: Sql, goOn: RenewTimeout) => Promise<T>

const limiters = new WeakMap<Db, LimitFunction>()

/** Half of a pool at most is with such lists: whoever asks for anything else does not wait until they are through. */
function limiterOf(db: Db): LimitFunction {
  const lane = limiters.get(db) ?? pLimit(Math.max(1, Math.floor(db.options.max / 2)))
  limiters.set(db, lane)
  return lane
}

/** How many lists wait in line for a connection. */
export const countQueuedSearches = (db: Db): number => limiters.get(db)?.pendingCount ?? 0

/** The time was over before the turn came. */
class DeadlineExceeded extends Error {}

const isPastDeadline = (error: unknown): boolean => isTimeout(error) || error instanceof DeadlineExceeded

/** Within a transaction its own rules hold. */
async function withDeadline<T>(sql: Sql, milliseconds: number, work: Work<T>): Promise<T> {
  if (!('begin' in sql)) return work(sql, async () => undefined)
  const db = sql as Db
  const end = performance.now() + milliseconds
  return limiterOf(db)(() => runUntil(db, end, work))
}

async function runUntil<T>(db: Db, end: number, work: Work<T>): Promise<T> {
  if (performance.now() >= end) throw new DeadlineExceeded()
  const done = await db.begin(async tx => {
    const own = tx as unknown as Sql
    const goOn = async () => {
      const left = String(Math.max(Math.ceil(end - performance.now()), 1))
      await own`select set_config('statement_timeout', ${left}, true)`.execute()
    }
    // Sent first, and answered together with the first statement.
    const [, of] = await Promise.all([goOn(), work(own, goOn)])
    return { of }
  })
  return (done as { of: T }).of
}

/** The page, or the refusal of the filter that would make it quicker. */
export const findWithDeadline = <T>(sql: Sql, filter: string, find: Work<T>): Promise<T> =>
  withDeadline(sql, deadlineMs.find, find).catch(error => {
    throw isPastDeadline(error) ? refuse(filter, 'takes_too_long') : error
  })

/** The number, or null. */
export const countWithDeadline = (sql: Sql, count: Work<number | null>): Promise<number | null> =>
  withDeadline(sql, deadlineMs.count, count).catch(error => {
    if (isPastDeadline(error)) return null
    throw error
  })
