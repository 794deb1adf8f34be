import { inTime } from './core/async/in-time.ts'
import type { Config } from './core/config/config.ts'
import type { Db } from './core/db/db.ts'
import { measureDisk } from './core/disk.ts'
import { metric, type Sample } from './core/telemetry/metrics.ts'
import { listReaderLags, type ReaderLag } from './events/cursor-queries.ts'
import { findBackupTime } from './last-backup.ts'
import { readerNames } from './log-readers.ts'

/** Metrics of the installation: disk, database, backups, and whether old data is deleted in time. */

let measured: { config: Config; db: Db } | null = null

/** No values before the process has its database. */
const whenMeasured =
  (read: (of: { config: Config; db: Db }) => Sample[] | Promise<Sample[]>) => async (): Promise<Sample[]> =>
    measured ? read(measured) : []

metric(
  'deskbell_disk_free_bytes',
  'Free space on the disk of DATA_DIR',
  whenMeasured(({ config }) => [{ value: measureDisk(config.dataDir).free }]),
)

metric(
  'deskbell_disk_size_bytes',
  'Size of the disk of DATA_DIR',
  whenMeasured(({ config }) => [{ value: measureDisk(config.dataDir).size }]),
)

metric(
  'deskbell_last_backup_timestamp_seconds',
  'When deskbell backup last succeeded on this DATA_DIR, in seconds since 1970; 0 means never',
  whenMeasured(({ config }) => [{ value: (findBackupTime(config.dataDir) ?? 0) / 1_000 }]),
)

/** Milliseconds. Sizes change slowly, and each measurement reads the size of every file of the database. */
const maxAgeMs = 60_000

let cachedSize = { at: Number.NEGATIVE_INFINITY, bytes: 0 }

async function readSize(db: Db): Promise<number> {
  if (performance.now() - cachedSize.at < maxAgeMs) return cachedSize.bytes
  const [row] = await inTime(db<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`)
  cachedSize = { at: performance.now(), bytes: row!.bytes }
  return cachedSize.bytes
}

metric(
  'deskbell_database_size_bytes',
  'Size of the database, at most a minute ago',
  whenMeasured(async ({ db }) => [{ value: await readSize(db) }]),
)

/** Deleting old rows takes several runs of the job, so rows count as late an hour after their retention. */
const readBehind = (db: Db, { eventRetention, requestLogRetention }: Config) => db<
  { events: boolean; requests: boolean }[]
>`
  select exists (select from events where project_id is not null
      and created_at < now() - ${eventRetention}::float8 * interval '1 millisecond' - interval '1 hour') as events,
    exists (select from api_requests where project_id is not null
      and created_at < now() - ${requestLogRetention}::float8 * interval '1 millisecond' - interval '1 hour') as requests`

metric(
  'deskbell_retention_behind',
  '1 if a log has rows an hour past their retention, else 0',
  whenMeasured(async ({ config, db }) => {
    const [row] = await inTime(readBehind(db, config))
    return Object.entries(row!).map(([log, isBehind]) => ({ labels: { log }, value: Number(isBehind) }))
  }),
)

const lagsOf = (read: (lag: ReaderLag) => number) =>
  whenMeasured(async ({ db }) =>
    (await inTime(listReaderLags(db, readerNames))).map(lag => ({
      labels: { reader: lag.reader },
      value: read(lag),
    })),
  )

metric(
  'deskbell_log_reader_lag_events',
  'Events that a reader of the log has not read',
  lagsOf(({ events }) => events),
)

metric(
  'deskbell_log_reader_lag_seconds',
  'Age of the oldest event that a reader of the log has not read',
  lagsOf(({ seconds }) => seconds),
)

metric(
  'deskbell_log_reader_tickets_set_aside',
  'Tickets whose events a reader of the log could not read',
  lagsOf(lag => lag.set_aside),
)

/** Adds these metrics until the returned function is called. */
export function measureInstallation(config: Config, db: Db): () => void {
  measured = { config, db }
  cachedSize.at = Number.NEGATIVE_INFINITY
  return () => {
    measured = null
  }
}
