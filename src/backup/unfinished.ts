import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../core/postgres/sockets.ts'
import { readStat } from '../core/process-stat.ts'
import { codeOf, SetupError } from '../core/setup-error.ts'

/** From the first byte of a restore to its last this is in DATA_DIR, so that what a killed one left is nothing to start on. */
export interface UnfinishedRestore {
  process: number
  /** When that process began, as the kernel tells it: its number may be another's by now. */
  started: string
  /** The moment of the archive. */
  archive: string
  /** What was not there before the restore, and is removed with it. */
  made: { folder: boolean; cluster: boolean; key: boolean }
  /** The one that brings the rows; null before it is about to be committed. */
  transaction: string | null
}

const name = 'restore.unfinished'

const fileOf = (dataDir: string): string => join(dataDir, name)

/** Empty where there is no /proc. */
const startOf = (pid: number): string => readStat(pid)?.start ?? ''

/** Whole at once, and only where there is none: of two restores that begin together one is refused. */
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

/** The drafts of those that were killed while they wrote it go too. */
export function clearUnfinishedMark(dataDir: string): void {
  for (const entry of readdirSync(dataDir))
    if (entry.startsWith(`${name}.`)) rmSync(join(dataDir, entry), { force: true })
  rmSync(fileOf(dataDir), { force: true })
}

/** Two at once would remove what the other writes. */
export function requireNotRunning(dataDir: string, begun: UnfinishedRestore): void {
  if (!isAlive(begun.process) || startOf(begun.process) !== begun.started) return
  throw new SetupError(
    `DATA_DIR: another restore (process ${begun.process}) is running in ${dataDir}; wait until it ends, or choose another DATA_DIR`,
  )
}

/** Called before anything that would use an unfinished restore as an installation. */
export function requireFinished(dataDir: string): void {
  if (!existsSync(fileOf(dataDir))) return
  throw new SetupError(
    `DATA_DIR: a restore into ${dataDir} is running or was interrupted; wait for it, or run deskbell restore again, which cleans up first`,
  )
}
