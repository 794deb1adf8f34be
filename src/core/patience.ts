import { type Db, isTimeout, type Sql } from './db.ts'
import { refuse } from './errors.ts'

/** Lists that may have to read more than people wait for: what is not in memory yet, or a filter that fits next to nothing. */

/** Milliseconds of each statement. What one has read before it was ended, the next finds in memory. */
const patience = { find: 5_000, count: 1_000 }

/** Within a transaction its own rules hold. */
async function hurried<T>(sql: Sql, milliseconds: number, work: (own: Sql) => Promise<T>): Promise<T> {
  if (!('begin' in sql)) return work(sql)
  const done = await (sql as Db).begin(async own => {
    await own`select set_config('statement_timeout', ${String(milliseconds)}, true)`
    return { of: await work(own as unknown as Sql) }
  })
  return (done as { of: T }).of
}

/** The page, or the refusal of the filter that would make it quicker. */
export const findInTime = <T>(sql: Sql, filter: string, find: (own: Sql) => Promise<T>): Promise<T> =>
  hurried(sql, patience.find, find).catch(error => {
    throw isTimeout(error) ? refuse(filter, 'takes_too_long') : error
  })

/** The number, or null. */
export const countInTime = (sql: Sql, count: (own: Sql) => Promise<number>): Promise<number | null> =>
  hurried(sql, patience.count, count).catch(error => {
    if (isTimeout(error)) return null
    throw error
  })
