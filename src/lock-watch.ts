import type { Db } from './core/db/db.ts'
import type { Log } from './core/telemetry/log.ts'

/** A session that holds a lock for which statements of Deskbell have waited. */
export interface LockHolder {
  pid: number
  user: string | null
  application: string | null
  state: string | null
  /** Seconds since its transaction began. */
  open_for: number | null
  /** Seconds that the longest waiting statement has waited. */
  waited_for: number
  /** The locked table; null if only rows are locked. */
  table: string | null
}

/**
 * Sessions with locks for which our statements have waited 4 seconds or longer; after 9 seconds statements fail. Sessions that are
 * waiting themselves are left out, so that the root cause is named. For sessions of other roles, Postgres shows only id and name.
 */
const listHolders = (db: Db) => db<LockHolder[]>`
  with waiting as (
    select l.pid, pg_blocking_pids(l.pid) as holders, case when l.locktype = 'relation' then l.relation end as table,
      extract(epoch from clock_timestamp() - l.waitstart) as seconds
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()
      and a.application_name = current_setting('application_name')
      and l.waitstart < clock_timestamp() - interval '4 seconds'
  )
  select h.pid, max(a.usename::text) as user, max(a.application_name) as application, max(a.state) as state,
    max(extract(epoch from clock_timestamp() - a.xact_start))::int as open_for, max(w.seconds)::int as waited_for,
    max(w.table::regclass::text) as table
  from waiting w cross join unnest(w.holders) as h (pid) left join pg_stat_activity a on a.pid = h.pid
  where not exists (select from waiting where pid = h.pid)
  group by h.pid`

/** Milliseconds. */
const intervalMs = 3_000

/** A waiting statement fails after 9 s, and the next one is noticed 4 s later. */
const blockedMemoryMs = 10_000

/** Logs which session holds a lock for which statements wait, once for each session. */
export function watchLocks(db: Db, log: Log) {
  let logged = new Set<number>()
  let blockedAt = Number.NEGATIVE_INFINITY
  let isLooking = false
  const look = async () => {
    const holders = await listHolders(db)
    for (const holder of holders) if (!logged.has(holder.pid)) warn(log, holder)
    logged = new Set(holders.map(({ pid }) => pid))
    if (holders.some(({ table }) => table)) blockedAt = performance.now()
  }
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    // A database that does not respond is reported elsewhere.
    await look().catch(() => {})
    isLooking = false
  }, intervalMs).unref()
  return {
    /** Whether a whole table was locked a moment ago. A locked row affects few requests. */
    isBlocked: () => performance.now() - blockedAt < blockedMemoryMs,
    stop: () => clearInterval(timer),
  }
}

function warn(log: Log, holder: LockHolder): void {
  const what = holder.table ? `the table ${holder.table}` : 'a row'
  log.warn(
    { held_by: holder },
    `Statements wait for ${what}, which the database session ${holder.pid} has locked, and fail after 9 s; if it should not hold the lock, end it: select pg_terminate_backend(${holder.pid})`,
  )
}
