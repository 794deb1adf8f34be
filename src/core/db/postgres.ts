import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { dataDirMode } from '../config/data-dir.ts'
import { SettingError, SetupError } from '../config/setup-error.ts'
import type { Log } from '../telemetry/log.ts'
import { readStat } from '../telemetry/process-stat.ts'
import { codeOf } from '../thrown.ts'
import type { DatabaseTarget } from './db.ts'
import { clusterOf, findRunningPostgres as findRunning, refuseForeign } from './postgres/running.ts'
import { launchPostgres, type Postgres, stopIdleServer } from './postgres/server.ts'
import { removeSocketDir } from './postgres/sockets.ts'

export type { Postgres }

export interface Database {
  target: DatabaseTarget
  /** Stops the embedded Postgres if this process started it. */
  close(): Promise<void>
}

/**
 * `server` starts its own embedded Postgres. `beside` uses a running one; if it starts one itself, other processes may use it
 * too.
 */
export type PostgresMode = 'server' | 'beside'

/** The database of these settings: DATABASE_URL, else the embedded Postgres of DATA_DIR. */
export async function openDatabase(
  config: Config,
  log: Log,
  manner: PostgresMode = 'server',
): Promise<Database> {
  const { dataDir, databaseUrl } = config
  // A command that needs only the database does not create a folder.
  const folder = databaseUrl && manner === 'beside' ? dataDir : ensureDataDir(dataDir)
  if (databaseUrl) return { target: { url: databaseUrl }, close: async () => {} }
  return manner === 'server' ? openServer(folder, log) : openBeside(folder, log)
}

/** Starts the embedded server of this folder after any other one on the folder has stopped. */
export async function startPostgres(
  dataDir: string,
  log: Log,
  settings?: Record<string, string>,
): Promise<Postgres> {
  const folder = ensureDataDir(dataDir)
  const begun = Date.now()
  const orphaned = new Set<string>()
  const tellOnce = () =>
    log.warn(
      `DATA_DIR: ${folder} is in use by ${describeHolder(folder)}; waiting up to 30 s for it to end: stop it, or set another DATA_DIR`,
    )
  return persist(folder, tellOnce, async () => {
    const running = stopIdleServer(folder, begun)
    if (running && !running.kept) orphaned.add(running.connection.host!)
    if (running) return null
    for (const socketDir of orphaned) removeSocketDir(socketDir, clusterOf(folder))
    return launchPostgres(folder, log, settings)
  })
}

/** The embedded server that is running on this folder, or null. */
export const findPostgres = (dataDir: string) => findRunning(ensureDataDir(dataDir))

/** Creates the folder, checks that it is writable, and returns its real path. */
export function ensureDataDir(dataDir: string): string {
  try {
    makeFolders(dataDir, dataDirMode())
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    return realpathSync(dataDir)
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SettingError(
      `DATA_DIR: cannot write to ${dataDir} (${codeOf(error)}); set it to a folder that this user may write to`,
    )
  }
}

/** Not the `recursive` option of mkdir, which never returns for a folder in /proc. */
function makeFolders(path: string, mode?: number): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return
    throw new SettingError(`DATA_DIR: ${path} is not a folder; set it to one, or to a new path`)
  }
  makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

async function openServer(dataDir: string, log: Log): Promise<Database> {
  const { connection, stop } = await startPostgres(dataDir, log)
  return { target: connection, close: () => stop('fast') }
}

async function openBeside(dataDir: string, log: Log): Promise<Database> {
  return persist(dataDir, null, async () => {
    const running = findRunning(dataDir)
    refuseForeign(running, dataDir)
    if (running?.ready) return { target: running.connection, close: async () => {} }
    const started = running ? null : await launchPostgres(dataDir, log)
    return started && { target: started.connection, close: () => started.stop('smart') }
  })
}

async function persist<T>(
  dataDir: string,
  tellOnce: (() => void) | null,
  attempt: () => Promise<T | null>,
): Promise<T> {
  let tell = tellOnce
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const result = await attempt()
    if (result) return result
    tell?.()
    tell = null
    await sleep(50)
  }
  throw new SetupError(
    `DATA_DIR: ${dataDir} is in use by ${describeHolder(dataDir)}; stop it, or set another DATA_DIR`,
  )
}

/** Names the process to stop: Postgres is a child of its keeper, which is a child of a Deskbell process. An orphaned Postgres has no such parent. */
function describeHolder(dataDir: string): string {
  const running = findRunning(dataDir)
  if (!running) return 'another Deskbell'
  const keeper = running.kept ? readStat(running.pid)?.parent : null
  const owner = keeper ? readStat(keeper)?.parent : null
  return owner && owner > 1
    ? `another Deskbell (process ${owner})`
    : `another Deskbell (its Postgres is process ${running.pid})`
}
