import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../core/config/setup-error.ts'
import { isAlive } from '../core/db/postgres/sockets.ts'
import { readStat } from '../core/telemetry/process-stat.ts'
import { codeOf } from '../core/thrown.ts'

/** This mark is in DATA_DIR during the whole restore, so that a server does not start on what a killed restore left. */
export interface UnfinishedRestore {
  process: number
  /** The start time of the process from the kernel, because its process id may have been reused. */
  started: string
  /** The time of the archive. */
  archive: string
  /** What did not exist before the restore, and is removed with it. */
  made: { folder: boolean; cluster: boolean; key: boolean }
  /** The id of the transaction with the rows; null until just before its commit. */
  transaction: string | null
}

const name = 'restore.unfinished'

const fileOf = (dataDir: string): string => join(dataDir, name)

/** Empty on systems without /proc. */
const startOf = (pid: number): string => readStat(pid)?.start ?? ''

/** Creates the mark atomically, and only if there is none, so that one of two concurrent restores is refused. */
export function markUnfinished(
  dataDir: string,
  archive: string,
  made: UnfinishedRestore['made'],
): UnfinishedRestore {
  const { pid } = process
  const begun = { process: pid, started: startOf(pid), archive, made, transaction: null }
  const draft = writeDraft(dataDir, begun)
  try {
    linkSync(draft, fileOf(dataDir))
  } catch (error) {
    requireFinished(dataDir)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return begun
}

export const markTransaction = (dataDir: string, begun: UnfinishedRestore, transaction: string): void =>
  renameSync(writeDraft(dataDir, { ...begun, transaction }), fileOf(dataDir))

function writeDraft(dataDir: string, begun: UnfinishedRestore): string {
  const draft = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(begun), { mode: 0o600, flush: true })
  return draft
}

export function findUnfinished(dataDir: string): UnfinishedRestore | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw error
  }
}

/** Also removes drafts of the mark that killed processes left. */
export function clearUnfinishedMark(dataDir: string): void {
  for (const entry of readdirSync(dataDir))
    if (entry.startsWith(`${name}.`)) rmSync(join(dataDir, entry), { force: true })
  rmSync(fileOf(dataDir), { force: true })
}

/** Refuses concurrent restores, because each would remove the other's files. */
export function requireNotRunning(dataDir: string, begun: UnfinishedRestore): void {
  if (!isAlive(begun.process) || startOf(begun.process) !== begun.started) return
  throw new SetupError(
    `DATA_DIR: another restore (process ${begun.process}) is running in ${dataDir}; wait until it ends, or choose another DATA_DIR`,
  )
}

/** Refuses to use an unfinished restore as an installation. */
export function requireFinished(dataDir: string): void {
  if (!existsSync(fileOf(dataDir))) return
  throw new SetupError(
    `DATA_DIR: a restore into ${dataDir} is running or was interrupted; wait for it, or run deskbell restore again, which cleans up first`,
  )
}
