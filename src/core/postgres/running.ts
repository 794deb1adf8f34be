import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Target } from '../db.ts'
import { codeOf, SetupError } from '../setup-error.ts'

export const socketPrefix = 'deskbell-'
export const keeperName = 'deskbell-postgres-keeper'

export interface Running {
  pid: number
  ready: boolean
  /** False when the process that would stop it at Deskbell's death was killed too. */
  kept: boolean
  connection: Target
}

export const clusterOf = (dataDir: string): string => join(dataDir, 'postgres')

export const connectionTo = (socketDir: string): Target => ({
  host: socketDir,
  port: 5432,
  user: 'deskbell',
  database: 'deskbell',
})

/** The embedded server at work on this data folder, whoever started it; `dataDir` is a real path. */
export function findPostgres(dataDir: string): Running | null {
  const cluster = clusterOf(dataDir)
  const lock = readLock(cluster)
  const found = lock && describe(lock.pid)
  if (!lock || !found?.command.includes(cluster)) return null
  const kept = describe(found.parent)?.command.includes(keeperName) ?? false
  return { pid: lock.pid, ready: lock.status === 'ready', kept, connection: connectionTo(lock.socketDir) }
}

/** What a killed server left behind; Postgres itself would take a process that got its old pid for a server. */
export function clearTraces(dataDir: string, socketDir: string): void {
  const cluster = clusterOf(dataDir)
  const lock = readLock(cluster)
  if (!lock) return
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
  const stale = lock.socketDir !== socketDir && basename(lock.socketDir).startsWith(socketPrefix)
  if (stale) rmSync(lock.socketDir, { recursive: true, force: true })
}

function readLock(cluster: string): { pid: number; socketDir: string; status: string } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new SetupError(
      `DATA_DIR: cannot read ${cluster} (${codeOf(error)}): run Deskbell as the user who owns it`,
    )
  }
}

function describe(pid: number): { parent: number; command: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return existsSync('/proc/self/stat') ? null : askPs(pid)
  }
}

function askPs(pid: number): { parent: number; command: string } | null {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command] = stdout?.match(/^\s*(\d+)\s+(.*)/) ?? []
  return command === undefined ? null : { parent: Number(parent), command }
}
