import { within } from './core/async/in-time.ts'
import type { Config } from './core/config/config.ts'
import { connectApart, type Db } from './core/db/db.ts'
import { isForFullDisk } from './core/db/full-disk.ts'
import type { Log } from './core/telemetry/log.ts'
import { metric } from './core/telemetry/metrics.ts'
import { codeOf } from './core/thrown.ts'
import { watchLocks } from './lock-watch.ts'

/** Why a process cannot serve requests, and what to do. */
const reasons = {
  database_unreachable: 'The database does not respond: start it, or correct DATABASE_URL',
  database_busy: 'All connections to the database are in use: see what its statements wait for',
  database_read_only:
    'The database refuses writes: it is a standby, or default_transaction_read_only is on; point DATABASE_URL to the primary',
  storage_full: 'The disk of the database is full, so nothing can be written: free space on it',
  writes_blocked: 'A table is locked, and writes to it fail: the log names the session that holds the lock',
}

export type UnreadyReason = keyof typeof reasons

interface Deps {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  db: Db
  log: Log
}

/** Milliseconds within which the database must respond. */
const databaseTimeoutMs = 2_000

/** Milliseconds for which a result is reused, because each check writes. */
const maxAgeMs = 1_000

/**
 * Writes 1 MB to a temporary file of a sort, which is removed with the statement. A single row would not be enough, because a full disk
 * may still have room for it.
 */
const testTempFile = `
  select set_config('work_mem', '64kB', true);
  with room as materialized (select repeat('x', 1000) as x from generate_series(1, 1000))
    select max(length(x)) from room`

/** Writes a record to the write-ahead log. Like every commit, it waits for the disk and for synchronous standbys. */
const testWal = `
  select current_setting('transaction_read_only')::bool as is_read_only,
    case when not pg_is_in_recovery() then pg_logical_emit_message(true, 'deskbell', '')::text end`

/** Ignores the error of a role that may not write temporary files (temp_file_limit), which says nothing about the disk. */
const ignoreTempLimit = (error: unknown): void => {
  if (codeOf(error) !== '53400') throw error
}

async function tryToWrite(db: Db): Promise<UnreadyReason | null> {
  await db.unsafe(testTempFile).catch(ignoreTempLimit)
  const [row] = await db.unsafe<{ is_read_only: boolean }[]>(testWal)
  return row!.is_read_only ? 'database_read_only' : null
}

/** Callers during a check, or within some time after it, share its result. */
function share<T>(ask: () => Promise<T>, milliseconds = 0): () => Promise<T> {
  let asked: Promise<T> | null = null
  const forget = () => {
    asked = null
  }
  return () => {
    asked ??= ask().finally(() => setTimeout(forget, milliseconds).unref())
    return asked
  }
}

export interface Readiness {
  /** Why the process cannot serve requests; null if it can. */
  findReason(): Promise<UnreadyReason | null>
  stop(): Promise<void>
}

/** Uses a separate connection, because those of the requests may all be waiting for a lock. */
export function watchReadiness({ config, db, log }: Deps): Readiness {
  const own = connectApart(db, { max: 1, statementTimeout: databaseTimeoutMs })
  const locks = watchLocks(own, log)
  const explain = (error: unknown): UnreadyReason => {
    if (isForFullDisk(error, config)) return 'storage_full'
    return codeOf(error) === 'NOT_PRIMARY' ? 'database_read_only' : 'database_unreachable'
  }
  // Only one check of each kind at a time, even if a connection has died silently.
  const write = share(() => tryToWrite(own).catch(explain))
  const answer = share(() =>
    db`select 1`.then(
      () => null,
      () => 'database_unreachable' as const,
    ),
  )
  let lastReason: UnreadyReason | null = null

  async function find(): Promise<UnreadyReason | null> {
    const [written, answered] = await Promise.all([
      within<UnreadyReason | null>(databaseTimeoutMs, write(), () => 'database_unreachable'),
      within<UnreadyReason | null>(databaseTimeoutMs, answer(), () => 'database_busy'),
    ])
    return written ?? (locks.isBlocked() ? 'writes_blocked' : answered)
  }

  const findReason = share(async () => {
    const reason = await find()
    if (reason && reason !== lastReason) log.error({ reason }, reasons[reason])
    if (!reason && lastReason) log.info('The database accepts writes again')
    lastReason = reason
    return reason
  }, maxAgeMs)
  metric(
    'deskbell_not_ready',
    'Why the process cannot serve requests: 1 for the current reason',
    async () => {
      const reason = await findReason()
      return Object.keys(reasons).map(one => ({ labels: { reason: one }, value: one === reason ? 1 : 0 }))
    },
  )
  return {
    findReason,
    async stop() {
      locks.stop()
      await own.end({ timeout: 1 })
    },
  }
}
