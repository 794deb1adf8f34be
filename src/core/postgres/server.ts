import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../db.ts'
import type { Log } from '../log.ts'
import { SetupError } from '../setup-error.ts'
import { type Account, chooseAccount } from './account.ts'
import { createCluster, give } from './cluster.ts'
import { endServer, hasEnded, type StopMode, spawnKeeper, waitForEnd } from './keeper.ts'
import { clearTraces, clusterOf, connectionTo, findPostgres, socketPrefix } from './running.ts'
import { writeSettings } from './settings.ts'

export interface Postgres {
  connection: Target
  stop(mode?: StopMode): Promise<void>
}

interface Place {
  dataDir: string
  program: string
  account: Account
  socketDir: string
  settings: Record<string, string>
}

/** Starts the server of this folder (a real path); null when another process was quicker. */
export async function launchPostgres(
  dataDir: string,
  log: Log,
  settings: Record<string, string> = {},
): Promise<Postgres | null> {
  const { account, binaries } = chooseAccount(dataDir)
  await createCluster(dataDir, binaries, account)
  if (findPostgres(dataDir)) return null
  const place = { dataDir, program: binaries.postgres, account, socketDir: makeSocketDir(account), settings }
  const keeper = await launchOnce(place)
  if (keeper) return keepRunning(place, keeper, log)
  rmSync(place.socketDir, { recursive: true, force: true })
  return null
}

/** A socket's path is limited to 107 bytes and DATA_DIR may be deep, so it lives in a short private folder. */
function makeSocketDir(account: Account): string {
  const path = mkdtempSync(join(existsSync('/tmp') ? '/tmp' : tmpdir(), socketPrefix))
  give(path, account)
  return path
}

/** The keeper of a Postgres that ended by itself has removed it. */
function ensureSocketDir(path: string, account: Account): void {
  if (existsSync(path)) return
  mkdirSync(path, { mode: 0o700 })
  give(path, account)
}

async function launchOnce({
  dataDir,
  program,
  account,
  socketDir,
  settings,
}: Place): Promise<ChildProcess | null> {
  clearTraces(dataDir, socketDir)
  ensureSocketDir(socketDir, account)
  writeSettings(clusterOf(dataDir), account, settings)
  const logFile = join(dataDir, 'postgres.log')
  const start = rotate(logFile)
  // Not in the file: of two processes that start at once, each would read what the other wrote there.
  const server = [program, '-D', clusterOf(dataDir), '-c', `unix_socket_directories=${socketDir}`]
  const keeper = spawnKeeper(server, socketDir, account, logFile)
  const ended = waitForEnd(keeper)
  while (!hasEnded(keeper)) {
    const running = findPostgres(dataDir)
    if (running?.ready && running.connection.host === socketDir) return keeper
    await Promise.race([sleep(20), ended])
  }
  return explainEnd(readFileSync(logFile).subarray(start).toString())
}

/** Where in the log this start's own lines begin. */
function rotate(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size < 10_000_000) return size
  renameSync(logFile, `${logFile}.1`)
  return 0
}

/** Null when another server holds the folder, or the last one's processes have not all gone yet. */
function explainEnd(words: string): null {
  if (/lock file .* already exists|pre-existing shared memory block/.test(words)) return null
  const told = words.split('\n').filter(line => /FATAL:|DETAIL:|HINT:|error/.test(line))
  const reason = told.map(line => line.replace(/^.*?(FATAL|DETAIL|HINT): +/, '')).join(' ')
  throw new SetupError(`DATA_DIR: the embedded Postgres did not start: ${reason || 'see postgres.log there'}`)
}

/** Holds the server up: one that ends by itself is started again, after a pause that grows to 30 s. */
function keepRunning(place: Place, first: ChildProcess, log: Log): Postgres {
  const stopping = new AbortController()
  const aborted = new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()))
  const done = (async () => {
    let keeper: ChildProcess | null = first
    for (let pause = 1_000; ; pause = keeper ? 1_000 : Math.min(pause * 2, 30_000)) {
      if (keeper) await Promise.race([waitForEnd(keeper), aborted])
      if (!stopping.signal.aborted)
        log.error(`The embedded Postgres ended by itself; starting it in ${pause} ms`)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted)
        return keeper && endServer(keeper, findPostgres(place.dataDir)?.pid, stopping.signal.reason)
      keeper = await relaunch(place, log)
    }
  })()
  const stop = async (mode: StopMode = 'fast') => {
    stopping.abort(mode)
    await done
    rmSync(place.socketDir, { recursive: true, force: true })
  }
  return { connection: connectionTo(place.socketDir), stop }
}

const relaunch = (place: Place, log: Log): Promise<ChildProcess | null> =>
  launchOnce(place).catch(error => {
    log.error(error.message)
    return null
  })
