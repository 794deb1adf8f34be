import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../../config/setup-error.ts'
import type { Log } from '../../telemetry/log.ts'
import { errorOf } from '../../thrown.ts'
import type { DatabaseTarget } from '../db.ts'
import { chooseSystemAccount, type SystemAccount } from './account.ts'
import { changeOwner, createCluster } from './cluster.ts'
import { endServer, hasEnded, type StopMode, signal, spawnKeeper, waitForEnd } from './keeper.ts'
import { logFileOf, readSince, rotate, rotateOpen } from './log-file.ts'
import {
  clearTraces,
  clusterOf,
  connectionTo,
  findRunningPostgres,
  type Running,
  refuseForeign,
} from './running.ts'
import { writeSettings } from './settings.ts'
import { claim, isPrivate, removeSocketDir, socketParent, socketPrefix } from './sockets.ts'

export interface Postgres {
  connection: DatabaseTarget
  stop(mode?: StopMode): Promise<void>
}

interface Place {
  dataDir: string
  program: string
  account: SystemAccount
  socketDir: string
  settings: Record<string, string>
}

/** Starts the server of this folder (a real path); null if another process was faster. */
export async function launchPostgres(
  dataDir: string,
  log: Log,
  settings: Record<string, string> = {},
): Promise<Postgres | null> {
  const { account, binaries } = chooseSystemAccount(dataDir)
  await createCluster(dataDir, binaries, account)
  if (findRunningPostgres(dataDir)) return null
  const place = { dataDir, program: binaries.postgres, account, socketDir: makeSocketDir(account), settings }
  let keeper: ChildProcess | null = null
  try {
    keeper = await launchOnce(place)
  } finally {
    if (!keeper) removeSocketDir(place.socketDir, clusterOf(dataDir))
  }
  return keeper && keepRunning(place, keeper, log)
}

/**
 * The server that occupies the folder, or null. A server that no process would ever stop gets a signal to stop. While it recovers
 * from a crash, it may miss the signal for a smart shutdown.
 */
export function stopIdleServer(dataDir: string, begun: number): Running | null {
  const running = findRunningPostgres(dataDir)
  refuseForeign(running, dataDir)
  const orphan = running && !running.kept && running.connection.host
  if (orphan) signal(running.pid, Date.now() - begun < 10_000 ? 'SIGINT' : 'SIGQUIT')
  return running
}

function makeSocketDir(account: SystemAccount): string {
  const path = mkdtempSync(join(socketParent(), socketPrefix))
  claim(path)
  changeOwner(path, account)
  return path
}

/** A program that removes old files may have deleted the folder, and then any user may have created another one with its name. */
function ensureSocketDir(path: string, account: SystemAccount, cluster: string): void {
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 })
    claim(path)
    changeOwner(path, account)
  }
  if (isPrivate(path, cluster)) return
  throw new SetupError(`The folder ${path} of the database's socket no longer belongs to Deskbell; remove it`)
}

async function launchOnce(place: Place): Promise<ChildProcess | null> {
  const { dataDir, program, account, socketDir, settings } = place
  clearTraces(dataDir, socketDir)
  ensureSocketDir(socketDir, account, clusterOf(dataDir))
  writeSettings(clusterOf(dataDir), account, settings)
  const logFile = logFileOf(dataDir)
  const start = rotate(logFile)
  // This setting is not in the configuration file: if two processes started at the same time, each would read what the other
  // wrote.
  const server = [program, '-D', clusterOf(dataDir), '-c', `unix_socket_directories=${socketDir}`]
  const keeper = spawnKeeper(server, socketDir, account, logFile)
  if (await becomesReady(keeper, place)) return keeper
  if (hasEnded(keeper)) return explainEnd(readSince(logFile, start))
  await endServer(keeper, undefined, 'fast')
  return null
}

/** A recovery may take as long as it needs. But a server that is not named in the lock file will never become ready. */
async function becomesReady(keeper: ChildProcess, { dataDir, socketDir }: Place): Promise<boolean> {
  const ended = waitForEnd(keeper)
  let heard = Date.now()
  while (!hasEnded(keeper) && Date.now() - heard < 30_000) {
    const running = findRunningPostgres(dataDir)
    const own = running?.connection.host === socketDir
    if (own && running.ready) return true
    if (own && running.starting) heard = Date.now()
    await Promise.race([sleep(20), ended])
  }
  return false
}

/** Null if another server holds the folder, or processes of the last one are still running. Throws otherwise. */
function explainEnd(words: string): null {
  if (/lock file .* (already exists|is empty)|pre-existing shared memory block/.test(words)) return null
  const lines = words.split('\n').filter(line => /FATAL:|DETAIL:|HINT:|error/.test(line))
  const reason = lines.map(line => line.replace(/^.*?(FATAL|DETAIL|HINT): +/, '')).join(' ')
  throw new SetupError(`DATA_DIR: the embedded Postgres did not start: ${reason || 'see postgres.log there'}`)
}

/** Restarts the server whenever it ends unexpectedly, after a pause that grows to 30 s. */
function keepRunning(place: Place, first: ChildProcess, log: Log): Postgres {
  const stopping = new AbortController()
  const aborted = new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()))
  const done = (async () => {
    let keeper: ChildProcess | null = first
    for (let pause = 1_000; ; pause = keeper ? 1_000 : Math.min(pause * 2, 30_000)) {
      if (keeper) await Promise.race([waitForEnd(keeper), aborted])
      if (!stopping.signal.aborted)
        log.error(`The embedded Postgres ended unexpectedly; starting it again in ${pause} ms`)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted)
        return keeper && endServer(keeper, findOwn(place)?.pid, stopping.signal.reason)
      keeper = await relaunch(place, log, stopping.signal)
    }
  })()
  const turning = rotateEachMinute(logFileOf(place.dataDir), log)
  const stop = async (mode: StopMode = 'fast') => {
    clearInterval(turning)
    stopping.abort(mode)
    await done
    removeSocketDir(place.socketDir, clusterOf(place.dataDir))
  }
  return { connection: connectionTo(place.socketDir), stop }
}

/** If the log cannot be rotated, for instance because the disk is full, it is tried again a minute later. */
const rotateEachMinute = (logFile: string, log: Log): NodeJS.Timeout =>
  setInterval(() => {
    try {
      rotateOpen(logFile)
    } catch (error) {
      log.warn({ err: error }, `${logFile} could not be rotated; trying again in a minute`)
    }
  }, 60_000).unref()

/** During the pause, another Deskbell process, such as a command, may have started a server. Then this one waits until that one has stopped. */
async function relaunch(place: Place, log: Log, stopping: AbortSignal): Promise<ChildProcess | null> {
  const begun = Date.now()
  try {
    while (stopIdleServer(place.dataDir, begun)) {
      if (stopping.aborted) return null
      await sleep(50)
    }
    return await launchOnce(place)
  } catch (error) {
    log.error(errorOf(error).message)
    return null
  }
}

function findOwn({ dataDir, socketDir }: Place): Running | null {
  const running = findRunningPostgres(dataDir)
  return running?.connection.host === socketDir ? running : null
}
