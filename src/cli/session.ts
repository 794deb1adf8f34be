import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireFinished } from '../backup/unfinished.ts'
import { type Config, readConfig } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import { checkDatabase } from '../core/db/check-database.ts'
import { connect, type Db } from '../core/db/db.ts'
import { migrate } from '../core/db/migrate.ts'
import { clusterOf } from '../core/db/postgres/running.ts'
import { ensureDataDir, openDatabase } from '../core/db/postgres.ts'
import { createLog, type Log } from '../core/telemetry/log.ts'
import { codeOf } from '../core/thrown.ts'
import { withHooks } from '../events/log.ts'
import { createDispatcher } from '../webhooks/dispatch.ts'

export interface CliSession {
  config: Config
  db: Db
  log: Log
  /** The version of the database server, such as `18.4`. */
  version: string
}

interface Opened extends CliSession {
  close(): Promise<void>
}

/** Runs work on the server's database. Starts the embedded Postgres if no server is running. */
export const withDatabase = <T>(work: (session: CliSession) => Promise<T>): Promise<T> =>
  withSession(async session => {
    await refuseEmpty(session.db)
    await migrate(session.db, session.log)
    return work(session)
  })

/** Like `withDatabase`, but without checking the tables. */
export async function withSession<T>(work: (session: CliSession) => Promise<T>): Promise<T> {
  const config = readConfig()
  requireFinished(config.dataDir)
  refuseMissing(config)
  return runOn(config, work)
}

/** For a restore, which creates the database that it fills. */
export async function withNewSession<T>(work: (session: CliSession) => Promise<T>): Promise<T> {
  const config = readConfig()
  ensureDataDir(config.dataDir)
  return runOn(config, work)
}

/** A command in the wrong folder must not create an installation there. */
function refuseMissing({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || existsSync(clusterOf(dataDir))) return
  throw new SetupError(
    `DATA_DIR: there is no database in ${dataDir}; set DATA_DIR or DATABASE_URL to the same value as your server, or start the server, which creates one`,
  )
}

async function refuseEmpty(db: Db): Promise<void> {
  const [row] = await db`select to_regclass('schema_migrations') is not null as exists`
  if (row!.exists) return
  throw new SetupError(
    'DATABASE_URL: this database has no Deskbell tables yet; set DATABASE_URL as it is set for your server, or start the server, which creates them',
  )
}

async function runOn<T>(config: Config, work: (session: CliSession) => Promise<T>): Promise<T> {
  const session = await openSession(config, createLog('fatal'))
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** Errors of new connections to a Postgres that is stopping: refused, aborted or not listening. */
const stopping = ['57P01', '57P03', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED']

/** Starts the embedded Postgres again if another process is just stopping it. */
async function openSession(config: Config, log: Log): Promise<Opened> {
  for (let tries = 100; ; tries--) {
    const database = await openDatabase(config, log, 'beside')
    // While this connection is open, a Postgres that another process stops waits for it.
    // Events caused by the command line are sent to webhooks too. No command sends messages to contacts: the demo's shop has
    // only tickets of the API.
    const db = withHooks(connect(database.target, { max: 1 }), {
      fanOut: createDispatcher().fanOut,
      outlets: [],
    })
    const close = async () => {
      await db.end({ timeout: 5 })
      await database.close()
    }
    try {
      return { config, db, log, version: await checkDatabase(db, config), close }
    } catch (error) {
      await close()
      if (tries === 0 || !stopping.includes(codeOf(error))) throw error
      await sleep(50)
    }
  }
}
