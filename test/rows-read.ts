import type { Db } from '../src/core/db/db.ts'

/** The number of rows and index entries that this connection has read so far. A list that scans a table reads thousands. */
async function countRead(db: Db): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ read: number }[]>`
    select (select sum(seq_tup_read) from pg_stat_user_tables)::int +
      (select sum(idx_tup_read) from pg_stat_user_indexes)::int as read`
  return row!.read
}

/** The number of rows and index entries that some work reads. `db` must have a single connection. */
export async function countReadBy(db: Db, work: () => Promise<unknown>): Promise<number> {
  const before = await countRead(db)
  await work()
  return (await countRead(db)) - before
}
