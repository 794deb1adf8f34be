import { describeDisputes } from '../billing/billing.ts'
import type { Config, Environment } from '../core/config/config.ts'
import { findSecretKey } from '../core/config/secret-key.ts'
import { createVault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { pendingMigrations } from '../core/db/migrate.ts'
import { describeFailingJobs } from '../job-runs.ts'
import { describeLimits } from '../limits/describe.ts'
import { examineChannels } from './channels.ts'
import { type Check, check } from './check.ts'
import * as content from './content.ts'
import {
  describeDurability,
  describeLocks,
  describeSchema,
  describeSize,
  describeWrites,
} from './database.ts'
import { examineServices } from './external-services.ts'
import { describeLogReaders } from './log-readers.ts'
import { examineMachine } from './machine.ts'
import { examineMailboxes } from './mailboxes.ts'
import { examineTelegram } from './telegram.ts'

/** What is examined, and from where. */
export interface ExaminedProcess {
  config: Config
  environment: Environment
  /** True in a server that examines itself, false in a command. */
  isServing: boolean
  /** The folder of the built pages, if it is not the default one. */
  pages?: string
  /** Calls back with a separate connection and the database server's version. */
  withDatabase<T>(work: (db: Db, version: string) => Promise<T>): Promise<T>
}

/** Runs every check, whatever the others find. */
export async function examine(examined: ExaminedProcess): Promise<Check[]> {
  const { config, environment, isServing, pages } = examined
  const parts = [
    examineMachine(config, { environment, pages }),
    examineServices(config, isServing),
    examineDatabase(examined),
    check('jobs', () => describeFailingJobs(config)),
  ]
  return (await Promise.all(parts)).flat()
}

async function examineDatabase(examined: ExaminedProcess): Promise<Check[]> {
  const { config, withDatabase } = examined
  const checks: Check[] = []
  const found = await check('database', () =>
    withDatabase(async (db, version) => {
      checks.push(...(await examineServer(db, config)), ...(await examineContent(db, examined)))
      return `PostgreSQL ${version}, ${config.databaseUrl ? 'the one of DATABASE_URL' : 'embedded in DATA_DIR'}`
    }),
  )
  return [found, ...checks]
}

const examineServer = (db: Db, config: Config): Promise<Check[]> =>
  inTurn([
    ['clock', () => content.describeClock(db)],
    ['limits', () => describeLimits(config, db)],
    ['writes', () => describeWrites(db)],
    ['size', () => describeSize(db)],
    ['durability', () => describeDurability(db)],
    ['locks', () => describeLocks(db)],
    ['migrations', () => content.describeMigrations(db)],
  ])

/** These checks need the tables that the migrations create. */
async function examineContent(db: Db, { config, isServing }: ExaminedProcess): Promise<Check[]> {
  const key = await check('secret key', () => content.describeKey(db, findSecretKey(config)))
  const pending = await pendingMigrations(db).catch(() => null)
  if (!pending || pending.length) return [key]
  const vault = createVault(findSecretKey(config) ?? Buffer.alloc(32))
  const deps = { config, db, vault }
  return [
    key,
    ...(await inTurn([
      ['schema', () => describeSchema(db)],
      ['projects', () => content.describeProjects(db)],
      ['maintenance', () => content.describeMaintenance(db)],
      ['access', () => content.describeAccess(db)],
      ['targets', () => content.describeTargets(db)],
      ['deliveries', () => content.describeDeliveries(db)],
      ['work', () => content.describeWork(db, isServing)],
      ['readers', () => describeLogReaders(db, isServing)],
      ['backup', () => content.describeBackup(db, config)],
      ['disputes', () => describeDisputes(db)],
      ['buckets', () => content.describeBuckets(deps)],
      ['files', () => content.describeFiles(deps)],
    ])),
    ...(await examineMailboxes(db, config, isServing)),
    ...(await examineTelegram(db, isServing)),
    ...(await examineChannels(db)),
  ]
}

/** One after another, because they share one connection. */
async function inTurn(looks: [string, () => Promise<string>][]): Promise<Check[]> {
  const checks: Check[] = []
  for (const [name, look] of looks) checks.push(await check(name, look))
  return checks
}
