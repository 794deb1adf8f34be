import pLimit, { type LimitFunction } from 'p-limit'
import { refuse } from '../errors.ts'
import { type Db, isPool, isTimeout, type Sql } from './db.ts'

/** Lists that may take longer than people wait, because the data is not in memory yet or almost nothing matches a filter. */

/**
 * Milliseconds, including the time in the queue. A repeated attempt is faster, because the data that a cancelled statement has
 * read is then in memory.
 */
const deadlineMs = { find: 5_000, count: 1_000 }

/** Gives the next statements the remaining time. Called between the statements of one list. */
type RenewTimeout = () => Promise<unknown>
type Work<T> = (own: Sql, renewTimeout: RenewTimeout) => Promise<T>

const limiters = new WeakMap<Db, LimitFunction>()

/** These lists use at most half of a pool, so that other requests do not wait for them. */
function limiterOf(db: Db): LimitFunction {
  const limiter = limiters.get(db) ?? pLimit(Math.max(1, Math.floor(db.options.max / 2)))
  limiters.set(db, limiter)
  return limiter
}

/** How many lists wait for a connection. */
export const countQueuedSearches = (db: Db): number => limiters.get(db)?.pendingCount ?? 0

/** The deadline passed before a connection was free. */
class DeadlineExceeded extends Error {}

const isPastDeadline = (error: unknown): boolean => isTimeout(error) || error instanceof DeadlineExceeded

/** Statements in an open transaction keep its timeout. */
async function withDeadline<T>(sql: Sql, milliseconds: number, work: Work<T>): Promise<T> {
  if (!isPool(sql)) return work(sql, async () => undefined)
  const end = performance.now() + milliseconds
  return limiterOf(sql)(() => runUntil(sql, end, work))
}

async function runUntil<T>(db: Db, end: number, work: Work<T>): Promise<T> {
  if (performance.now() >= end) throw new DeadlineExceeded()
  const done = await db.begin(async own => {
    const renewTimeout = async () => {
      const left = String(Math.max(Math.ceil(end - performance.now()), 1))
      await own`select set_config('statement_timeout', ${left}, true)`.execute()
    }
    // Sent first, and answered together with the first statement.
    const [, of] = await Promise.all([renewTimeout(), work(own, renewTimeout)])
    return { of }
  })
  return done.of
}

/** Returns the page, or refuses the filter if the list takes too long. */
export const findWithDeadline = <T>(sql: Sql, filter: string, find: Work<T>): Promise<T> =>
  withDeadline(sql, deadlineMs.find, find).catch(error => {
    throw isPastDeadline(error) ? refuse(filter, 'takes_too_long') : error
  })

/** The number; null if counting takes too long. */
export const countWithDeadline = (sql: Sql, count: Work<number | null>): Promise<number | null> =>
  withDeadline(sql, deadlineMs.count, count).catch(error => {
    if (isPastDeadline(error)) return null
    throw error
  })
