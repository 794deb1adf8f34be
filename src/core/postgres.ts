import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { Target } from './db.ts'
import type { Log } from './log.ts'
import { signal } from './postgres/keeper.ts'
import { findPostgres as findRunning } from './postgres/running.ts'
import { launchPostgres, type Postgres } from './postgres/server.ts'
import { codeOf, SetupError } from './setup-error.ts'

export type { Postgres }

export interface Database {
  target: Target
  /** Stops the embedded Postgres if this process started it. */
  close(): Promise<void>
}

/** `server` wants the embedded Postgres for itself; `beside` uses a running one and, alone, leaves it to others in peace. */
export type Manner = 'server' | 'beside'

/** The database of these settings: DATABASE_URL, else the embedded Postgres of DATA_DIR. */
export async function openDatabase(config: Config, log: Log, manner: Manner = 'server'): Promise<Database> {
  const dataDir = ensureDataDir(config.dataDir)
  if (config.databaseUrl) return { target: { url: config.databaseUrl }, close: async () => {} }
  return manner === 'server' ? openServer(dataDir, log) : openBeside(dataDir, log)
}

/** The embedded server of this folder, once any other one on it has gone. */
export async function startPostgres(
  dataDir: string,
  log: Log,
  settings?: Record<string, string>,
): Promise<Postgres> {
  const folder = ensureDataDir(dataDir)
  const begun = Date.now()
  const orphaned = new Set<string>()
  return persist(folder, async () => {
    const running = findRunning(folder)
    if (running && !running.kept) {
      // Nobody else would ever stop it; one that is just recovering from a crash can miss the polite signal.
      signal(running.pid, Date.now() - begun < 10_000 ? 'SIGINT' : 'SIGQUIT')
      orphaned.add(running.connection.host!)
    }
    if (running) return null
    for (const socketDir of orphaned) rmSync(socketDir, { recursive: true, force: true })
    return launchPostgres(folder, log, settings)
  })
}

/** The embedded server that runs on this folder now, or null. */
export const findPostgres = (dataDir: string) => findRunning(ensureDataDir(dataDir))

/** Makes the folder, checks that it can be written to, and returns its real path. */
export function ensureDataDir(dataDir: string): string {
  try {
    makeFolders(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    return realpathSync(dataDir)
  } catch (error) {
    throw new SetupError(
      `DATA_DIR: cannot write to ${dataDir} (${codeOf(error)}); set it to a folder that this user may write to`,
    )
  }
}

/** Not mkdir's own `recursive`, which never returns for a folder under /proc. */
function makeFolders(path: string): void {
  if (existsSync(path)) return
  makeFolders(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

async function openServer(dataDir: string, log: Log): Promise<Database> {
  const running = findRunning(dataDir)
  if (running)
    log.warn(`DATA_DIR is still in use by Postgres (process ${running.pid}); waiting for it to end`)
  const { connection, stop } = await startPostgres(dataDir, log)
  return { target: connection, close: () => stop('fast') }
}

async function openBeside(dataDir: string, log: Log): Promise<Database> {
  return persist(dataDir, async () => {
    const running = findRunning(dataDir)
    if (running?.ready) return { target: running.connection, close: async () => {} }
    const started = running ? null : await launchPostgres(dataDir, log)
    return started && { target: started.connection, close: () => started.stop('smart') }
  })
}

async function persist<T>(dataDir: string, attempt: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const result = await attempt()
    if (result) return result
    await sleep(50)
  }
  const pid = findRunning(dataDir)?.pid
  throw new SetupError(
    `DATA_DIR: ${dataDir} is in use by another Deskbell (its Postgres is process ${pid}); stop that one or set another DATA_DIR`,
  )
}
