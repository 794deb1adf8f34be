import { statfsSync } from 'node:fs'
import { addressRuleOf } from '../core/address.ts'
import { listGiven, readConfig } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import { pendingMigrations } from '../core/migrate.ts'
import { describeOpenFiles } from '../core/open-files.ts'
import { ensureDataDir } from '../core/postgres.ts'
import { compareSecretKey, findSecretKey } from '../core/secret-key.ts'
import { SetupError } from '../core/setup-error.ts'
import { describeLimits } from '../limits/describe.ts'
import { isMaintenance } from '../projects/installation.ts'
import { listProjects } from '../projects/projects.ts'
import { type Session, withSession } from './session.ts'

interface Check {
  name: string
  ok: boolean
  /** What was found; when it is wrong, also how to mend it. */
  message: string
}

interface Report {
  ok: boolean
  checks: Check[]
}

/** Every check that can still be made after one failed is made; the status is 1 when something is wrong. */
export async function examine(): Promise<{ result: Report; status: number }> {
  const checks = await examineMachine()
  if (checks.every(one => one.ok)) {
    checks.push(...(await examineDatabase()))
    checks.push(await check('open files', () => describeOpenFiles(readConfig())))
  }
  const ok = checks.every(one => one.ok)
  return { result: { ok, checks }, status: ok ? 0 : 1 }
}

export const printChecks = ({ ok, checks }: Report): string =>
  [
    ...checks.map(one => `${one.ok ? 'ok   ' : 'WRONG'}  ${one.name.padEnd(10)}  ${one.message}`),
    ok ? 'Nothing is wrong.' : 'Something is wrong; see above how to mend it.',
  ].join('\n')

async function check(name: string, look: () => Promise<string> | string): Promise<Check> {
  try {
    return { name, ok: true, message: await look() }
  } catch (error) {
    const { message, stack } = error as Error
    return { name, ok: false, message: error instanceof SetupError ? message : (stack ?? message) }
  }
}

async function examineMachine(): Promise<Check[]> {
  const found = await check('settings', describeSettings)
  if (!found.ok) return [found]
  const config = readConfig()
  return [
    found,
    await check('disk', () => describeDisk(config.dataDir)),
    await check('address', () => `PUBLIC_URL is ${config.publicUrl}`),
    await check('webhooks', () => addressRuleOf(config).describe()),
  ]
}

function describeSettings(): string {
  readConfig()
  const given = listGiven()
  return given.length ? `set: ${given.join(', ')}` : 'all have their defaults'
}

function describeDisk(dataDir: string): string {
  const folder = ensureDataDir(dataDir)
  const { bavail, bsize } = statfsSync(folder)
  const free = (bavail * bsize) / 2 ** 30
  if (free >= 1) return `DATA_DIR ${folder} can be written to, ${free.toFixed(1)} GiB are free`
  throw new SetupError(
    `DATA_DIR ${folder} has only ${free.toFixed(2)} GiB free; make room or move it to a larger disk before the database stops`,
  )
}

async function examineDatabase(): Promise<Check[]> {
  const checks: Check[] = []
  const found = await check('database', () =>
    withSession(async session => {
      checks.push(...(await examineContent(session)))
      return `PostgreSQL ${session.version}, ${session.config.databaseUrl ? 'the one of DATABASE_URL' : 'embedded in DATA_DIR'}`
    }),
  )
  return [found, ...checks]
}

async function examineContent({ db, config }: Session): Promise<Check[]> {
  const clock = await check('clock', () => describeClock(db))
  const limits = await check('limits', () => describeLimits(config, db))
  const migrations = await check('migrations', () => describeMigrations(db))
  if (!migrations.ok) return [clock, limits, migrations]
  const pending = await pendingMigrations(db)
  return [
    clock,
    limits,
    migrations,
    await check('secret key', () => describeKey(db, findSecretKey(config))),
    ...(pending.length
      ? []
      : [
          await check('projects', () => describeProjects(db)),
          await check('maintenance', () => describeMaintenance(db)),
        ]),
  ]
}

async function describeProjects(db: Db): Promise<string> {
  const projects = await listProjects(db)
  const suspended = projects.filter(one => one.is_suspended)
  const names = suspended.map(one => `${one.name} (${one.suspended_reason ?? 'no reason given'})`)
  return `${projects.length}, ${names.length ? `suspended: ${names.join(', ')}` : 'none is suspended'}`
}

const describeMaintenance = async (db: Db): Promise<string> =>
  (await isMaintenance(db)) ? 'on: every API request is answered 503, until deskbell maintenance off' : 'off'

async function describeMigrations(db: Db): Promise<string> {
  const pending = await pendingMigrations(db)
  return pending.length ? `${pending.length} to apply; the next start does it` : 'all are applied'
}

async function describeClock(db: Db): Promise<string> {
  const before = Date.now()
  const [row] = await db<
    { ms: number }[]
  >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
  const seconds = Math.abs(row!.ms - (before + Date.now()) / 2) / 1000
  if (seconds < 2) return 'agrees with the database'
  throw new SetupError(
    `this machine and the database are ${seconds.toFixed(0)} s apart; let both keep time by NTP (timedatectl set-ntp true)`,
  )
}

async function describeKey(db: Db, key: Buffer | null): Promise<string> {
  const [table] = await db`select to_regclass('installation') is not null as exists`
  if (table?.exists && (await compareSecretKey(db, key))) return 'the one this database was made with'
  return key
    ? 'there is one; the first start makes it the one of this database'
    : 'none yet; the first start makes it'
}
