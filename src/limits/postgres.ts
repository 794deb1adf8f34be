import { createBatch } from '../core/db/batch.ts'
import { connectApart, type Db } from '../core/db/db.ts'
import { measurePool } from '../core/db/pools.ts'
import { type CounterStore, type Window, windowLength } from './store.ts'

interface WindowRow extends Window {
  bucket: string
}

/**
 * Locks buckets in the order of their names, so that processes that count the same buckets cannot deadlock. If the newest window of a
 * bucket has ended, every process opens the same next one.
 */
const upsertWindows = (db: Db, buckets: string[], counts: number[]) => db<WindowRow[]>`
  insert into rate_windows as kept (bucket, turn, count, ends)
  select bucket, coalesce(newest.turn + (newest.ends <= now())::int, 1), new.count,
    now() + ${windowLength}::int * interval '1 ms'
  from unnest(${buckets}::text[], ${counts}::int[]) as new (bucket, count)
    left join lateral (
      select turn, ends from rate_windows where bucket = new.bucket order by turn desc limit 1) newest on true
  order by bucket
  on conflict (bucket, turn) do update set count = kept.count + excluded.count
  returning bucket, count, (extract(epoch from ends - now()) * 1000)::float8 as rest`

/** Counts concurrent requests together. Each gets the position that it would have had alone. */
async function hitTogether(db: Db, buckets: string[]): Promise<(bucket: string) => Window> {
  const sums = new Map<string, number>()
  for (const bucket of buckets) sums.set(bucket, (sums.get(bucket) ?? 0) + 1)
  const rows = await upsertWindows(db, [...sums.keys()], [...sums.values()])
  const windows = new Map(
    rows.map(({ bucket, count, rest }) => [bucket, { count: count - sums.get(bucket)!, rest }]),
  )
  return bucket => {
    const window = windows.get(bucket)!
    window.count++
    return { ...window }
  }
}

/** Counts in the database, for all processes that use it. It has separate connections, because requests hold the others. */
export function createPostgres(db: Db, statementTimeout = 50): CounterStore {
  const own = connectApart(db, { max: 2, statementTimeout })
  const unmeasure = measurePool('limits', own)
  const hit = createBatch<string, Window>(buckets => hitTogether(own, buckets))
  return {
    hit,
    open: async () => void (await hit('probe')),
    close: () => {
      unmeasure()
      return own.end({ timeout: 0 })
    },
  }
}

/** Deletes windows that ended a while ago, so that no process still uses them. */
export async function deleteEndedWindows(db: Db, limit = 5_000): Promise<number> {
  const { count } = await db`
    delete from rate_windows where ctid = any(array(
      select ctid from rate_windows where ends < now() - interval '1 minute'
      limit ${limit} for update skip locked))`
  return count
}
