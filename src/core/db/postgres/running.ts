import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../config/setup-error.ts'
import { readStat } from '../../telemetry/process-stat.ts'
import { codeOf } from '../../thrown.ts'
import type { DatabaseTarget } from '../db.ts'
import { isPrivate, isSocketDirName, removeSocketDir } from './sockets.ts'

export const keeperName = 'deskbell-postgres-keeper'

export interface Running {
  pid: number
  starting: boolean
  ready: boolean
  /** False if the process that would stop it when Deskbell ends was killed as well. */
  kept: boolean
  /** Whether it was not started by Deskbell, which then must not stop it. */
  foreign: boolean
  connection: DatabaseTarget
}

export const clusterOf = (dataDir: string): string => join(dataDir, 'postgres')

export const connectionTo = (socketDir: string): DatabaseTarget => ({
  host: socketDir,
  port: 5432,
  user: 'deskbell',
  database: 'deskbell',
})

/** The embedded server that runs on this data folder, even if another process started it. `dataDir` is a real path. */
export function findRunningPostgres(dataDir: string): Running | null {
  const cluster = clusterOf(dataDir)
  const lock = readLock(cluster)
  const found = lock && describe(lock.pid)
  if (!found || !serves(lock.pid, found.command, cluster)) return null
  const { pid, socketDir } = lock
  const kept = describe(found.parent)?.command.includes(keeperName) ?? false
  const ready = lock.status === 'ready' && isPrivate(socketDir, cluster)
  // At first, the file does not contain the socket folder yet.
  const elsewhere = (socketDir !== '' || lock.status === 'ready') && !isSocketDirName(socketDir)
  const foreign = !kept && (elsewhere || !found.command.includes(cluster))
  const starting = lock.status === 'starting'
  return { pid, starting, ready, kept, foreign, connection: connectionTo(socketDir) }
}

export function refuseForeign(running: Running | null, dataDir: string): void {
  if (!running?.foreign) return
  throw new SetupError(
    `DATA_DIR: a Postgres that Deskbell did not start (process ${running.pid}) runs on ${clusterOf(dataDir)}; stop it or set another DATA_DIR`,
  )
}

/**
 * Removes what a killed server left behind. Postgres itself removes the lock of a dead process. But it would mistake any program
 * with the same process id for a server, and would wait for ever for the process that created an empty lock file.
 */
export function clearTraces(dataDir: string, socketDir: string): void {
  const cluster = clusterOf(dataDir)
  const lock = readLock(cluster)
  if (!lock) return
  const found = describe(lock.pid)
  if (found && serves(lock.pid, found.command, cluster)) return
  if (found || (!lock.pid && lock.age > 5_000)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
  if (lock.socketDir !== socketDir) removeSocketDir(lock.socketDir, cluster)
}

/** Whether this process is the server of the cluster; if unknown, true. */
function serves(pid: number, command: string, cluster: string): boolean {
  if (!/^[^\0]*?(^|\/)(postgres|postmaster)( |\0|$)/.test(command)) return false
  const [, folder] = command.match(/\0-D\0?(\/[^\0]*)/) ?? []
  if (folder === cluster) return true
  try {
    return realpathSync(folder ?? `/proc/${pid}/cwd`) === cluster
  } catch {
    return command.includes(cluster) || !/ -D \//.test(command)
  }
}

interface Lock {
  pid: number
  socketDir: string
  status: string
  /** In milliseconds. */
  age: number
}

function readLock(cluster: string): Lock | null {
  const path = join(cluster, 'postmaster.pid')
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    const age = Date.now() - statSync(path).mtimeMs
    // The number is negative for a server without a postmaster (--single).
    const pid = Math.abs(Number(lines[0]))
    return { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim(), age }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new SetupError(
      `DATA_DIR: cannot read ${cluster} (${codeOf(error)}): run Deskbell as the user who owns it`,
    )
  }
}

function describe(pid: number): { parent: number; command: string } | null {
  const stat = readStat(pid)
  if (!stat) return existsSync('/proc/self/stat') ? null : askPs(pid)
  try {
    return { parent: stat.parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return null
  }
}

function askPs(pid: number): { parent: number; command: string } | null {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command] = stdout?.match(/^\s*(\d+)\s+(.*)/) ?? []
  return command === undefined ? null : { parent: Number(parent), command }
}
