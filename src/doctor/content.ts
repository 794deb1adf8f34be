import { clockRemedy, describeDifference, measureClock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import { compareSecretKey } from '../core/config/secret-key.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { pendingMigrations } from '../core/db/migrate.ts'
import { listDue } from '../core/due/due-work.ts'
import { findBackupTime } from '../last-backup.ts'
import { findBucketFaults, findLostFiles } from '../media/media.ts'
import { isMaintenance } from '../projects/installation.ts'
import { listProjects } from '../projects/projects.ts'
import { findOldestDue } from '../webhooks/webhooks.ts'
import { listSome, reasonOf } from './check.ts'
import { countAccess, getInstallationAge, listFailingWebhooks } from './queries.ts'

/** Checks of what is in the database. */

type BucketDeps = Parameters<typeof findBucketFaults>[0]

export async function describeProjects(db: Db): Promise<string> {
  const projects = await listProjects(db)
  const suspended = projects.filter(one => one.is_suspended)
  const names = suspended.map(one => `${one.name} (${one.suspended_reason ?? 'no reason given'})`)
  return `${projects.length}, ${names.length ? `suspended: ${names.join(', ')}` : 'none is suspended'}`
}

export const describeMaintenance = async (db: Db): Promise<string> =>
  (await isMaintenance(db))
    ? 'on: every API request gets a 503; to end it, run: bin/deskbell maintenance off'
    : 'off'

export async function describeMigrations(db: Db): Promise<string> {
  const pending = await pendingMigrations(db)
  return pending.length ? `${pending.length} to apply; the next start applies them` : 'all applied'
}

export async function describeClock(db: Db): Promise<string> {
  const difference = await measureClock(db)
  if (difference === 0) return 'agrees with the database'
  throw new SetupError(`this machine is ${describeDifference(difference)} the database. ${clockRemedy}`)
}

export async function describeKey(db: Db, key: Buffer | null): Promise<string> {
  const [table] = await db`select to_regclass('installation') is not null as exists`
  if (table?.exists && (await compareSecretKey(db, key))) return 'matches the database'
  return key
    ? 'set; the first start will use it for this database'
    : 'none yet; the first start will create it'
}

/** Without a project, this is not a fault: the first start prints what to do next. */
export async function describeAccess(db: Db): Promise<string> {
  const { projects, logins, links, keys } = await countAccess(db)
  if (projects > 0 && logins + links === 0)
    throw new SetupError(
      'nobody has an account that can sign in; create a link: bin/deskbell operator link --email YOUR-ADDRESS',
    )
  return projects === 0
    ? 'no project yet; the first start creates one'
    : `accounts that can sign in: ${logins}, active API keys: ${keys}`
}

/** Failed deliveries in a row. A target that is down for an hour has fewer. */
const minFailures = 10

export async function describeTargets(db: Db): Promise<string> {
  const dead = await listFailingWebhooks(db, minFailures)
  if (dead.length === 0) return 'every target accepts its deliveries'
  const words = dead.map(
    ({ url, project, is_active, consecutive_failures }) =>
      `${new URL(url).host} of ${project} (${consecutive_failures} failed in a row${is_active ? '' : ', switched off'})`,
  )
  throw new SetupError(
    `targets accept no deliveries: ${listSome(words)}; repair or delete these webhooks in Settings, Webhooks`,
  )
}

/** Seconds, as in the alert of docs/operations.md. */
const maxBehind = 60

export async function describeDeliveries(db: Db): Promise<string> {
  const seconds = await findOldestDue(db)
  if (seconds <= maxBehind) return 'none is overdue'
  throw new SetupError(
    `the oldest has been due for ${Math.round(seconds)} s and no process is sending it; start a process with the role deliver, or more of them`,
  )
}

/** Milliseconds. */
const maxLate = 5 * 60_000

/** Work that a process with the role jobs runs when it is due. */
const kinds = [
  'messages',
  'snoozes',
  'presence',
  'statuses',
  'tags',
  'merges',
  'organizations',
  'exports',
  'renewals',
  'histories',
] as const

/** Without a running server, nothing is done. */
export async function describeWork(db: Db, isServing: boolean): Promise<string> {
  const [oldest] = isServing ? await listDue(db, kinds, -maxLate, 1) : []
  if (!oldest) return 'nothing is overdue'
  throw new SetupError(
    `${oldest.kind} have been due for ${Math.round(-oldest.wait / 60_000)} min and no process runs them; start one with the role jobs`,
  )
}

export async function describeBuckets(deps: BucketDeps): Promise<string> {
  const { buckets, faults } = await findBucketFaults(deps)
  if (faults.some(fault => fault.includes('RequestTimeTooSkewed')))
    throw new SetupError(
      `${faults.join('; ')}; set the clock of this machine, and synchronize it by NTP (timedatectl set-ntp true)`,
    )
  if (faults.length)
    throw new SetupError(
      `${faults.join('; ')}; start it, or correct S3_ENDPOINT, S3_BUCKET and its keys, or the bucket of the project`,
    )
  return buckets ? `${buckets} can be written to, read and emptied` : 'none configured; files are in DATA_DIR'
}

/** Milliseconds for checking files. */
const maxLooking = 8_000

export async function describeFiles(deps: BucketDeps): Promise<string> {
  const { seen, lost, failures } = await findLostFiles(deps, Date.now() + maxLooking)
  const faults = [
    ...(lost.length
      ? [
          `${lost.length} of ${seen} files are missing or incomplete: ${listSome(lost)}; restore them from a backup of DATA_DIR/files or the bucket`,
        ]
      : []),
    ...(failures.length
      ? [
          `${failures.length} of ${seen} files cannot be read (${reasonOf(failures[0])}); repair the access to their disk or bucket`,
        ]
      : []),
  ]
  if (faults.length) throw new SetupError(faults.join('; '))
  return `${seen} checked, none missing`
}

/** Days. People who make backups make them at least weekly; before the first one, a week of trial is usual. */
const maxBackupAgeDays = 8

/** An external PostgreSQL may be backed up by other means. */
export async function describeBackup(db: Db, { dataDir, databaseUrl }: Config): Promise<string> {
  const at = findBackupTime(dataDir)
  if (at === null) {
    const age = await getInstallationAge(db)
    if (databaseUrl || age <= maxBackupAgeDays) return 'no backup by bin/deskbell backup yet'
    throw new SetupError(`none was made in ${Math.floor(age)} days; run: bin/deskbell backup FILE`)
  }
  const days = (Date.now() - at) / 86_400_000
  if (days > maxBackupAgeDays)
    throw new SetupError(`the last one is ${Math.floor(days)} days old; run: bin/deskbell backup FILE`)
  return `the last one is ${days < 1 ? `${Math.round(days * 24)} hours` : `${Math.floor(days)} days`} old`
}
