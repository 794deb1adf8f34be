import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../core/config/setup-error.ts'
import { isFull } from '../core/db/full-disk.ts'
import { signal } from '../core/db/postgres/keeper.ts'
import { logFileOf, readSince, sizeOfLog } from '../core/db/postgres/log-file.ts'
import { clusterOf, findRunningPostgres, type Running } from '../core/db/postgres/running.ts'
import { ensureDataDir } from '../core/db/postgres.ts'
import { errorOf } from '../core/thrown.ts'
import type { Archive } from './archive.ts'
import { diskFullError, requireDiskSpace } from './disk.ts'
import {
  clearUnfinishedMark,
  findUnfinished,
  markUnfinished,
  requireNotRunning,
  type UnfinishedRestore,
} from './unfinished.ts'

/** The folder for a restored installation. A restore either completes or leaves the folder as it was. */
export interface InstallationFolder {
  dataDir: string
  databaseUrl: string | null
  secretKey: Buffer | null
}

const remove = (dataDir: string, ...names: string[]): void => {
  for (const name of names)
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** Kills the Postgres of a failed restore. Its data is not needed, and on a full disk it could not shut down normally. */
export function dropPostgres(
  { dataDir }: Pick<InstallationFolder, 'dataDir'>,
  { made }: UnfinishedRestore,
): Running | null {
  const running = made.cluster ? findRunningPostgres(realpathSync(dataDir)) : null
  if (running) signal(running.pid, 'SIGQUIT')
  return running
}

async function untilGone(dataDir: string, begun: UnfinishedRestore): Promise<void> {
  const deadline = performance.now() + 10_000
  for (let running = dropPostgres({ dataDir }, begun); running; running = dropPostgres({ dataDir }, begun)) {
    if (performance.now() > deadline)
      throw new SetupError(
        `DATA_DIR: the Postgres of ${dataDir} does not stop; kill its process ${running.pid}`,
      )
    await sleep(50)
  }
}

/** Removes the mark last: while it exists, the folder is not used as an installation. */
async function clear(dataDir: string, begun: UnfinishedRestore): Promise<void> {
  const { made } = begun
  if (made.cluster) {
    await untilGone(dataDir, begun)
    const drafts = readdirSync(dataDir).filter(name => name.startsWith('postgres.new-'))
    remove(dataDir, 'postgres', 'postgres.log', 'postgres.log.1', ...drafts)
  }
  remove(dataDir, 'files', 'files.restored', 'secret.key.restored', ...(made.key ? ['secret.key'] : []))
  clearUnfinishedMark(dataDir)
  if (made.folder && readdirSync(dataDir).length === 0) rmdirSync(dataDir)
}

/** Removes what an interrupted restore left. */
export async function removeUnfinished({ dataDir }: InstallationFolder): Promise<void> {
  const begun = findUnfinished(dataDir)
  if (!begun) return
  requireNotRunning(dataDir, begun)
  await clear(dataDir, begun)
}

function refuseSmall({ dataDir, databaseUrl }: InstallationFolder, { manifest }: Archive): void {
  const sum = (entries: { bytes: number }[]) => entries.reduce((bytes, entry) => bytes + entry.bytes, 0)
  const rows = databaseUrl ? 0 : leastDatabase(sum(manifest.tables))
  requireDiskSpace(dataDir, sum(manifest.files) + rows)
}

/** The minimum in bytes: an empty database, the rows, and at most 2 GB of their WAL. Indexes need more. */
const leastDatabase = (rows: number): number => 2 ** 26 + rows + Math.min(rows, 2 ** 31)

/** A full disk ends the embedded Postgres, which reports the reason in its log only. */
function wasFull({ dataDir, databaseUrl }: InstallationFolder, logged: number, error: unknown): boolean {
  if (isFull(error) || /No space left on device/.test(String(error))) return true
  return !databaseUrl && /No space left on device/.test(readSince(logFileOf(dataDir), logged))
}

/** Runs a restore in a folder that is marked until it ends. A failed restore leaves nothing there. */
export async function restoreInFolder(
  place: InstallationFolder,
  archive: Archive,
  work: (begun: UnfinishedRestore) => Promise<void>,
): Promise<void> {
  const { dataDir, secretKey } = place
  refuseSmall(place, archive)
  const made = {
    folder: !existsSync(dataDir),
    cluster: !place.databaseUrl && !existsSync(clusterOf(dataDir)),
    key: !secretKey && !existsSync(join(dataDir, 'secret.key')),
  }
  ensureDataDir(dataDir)
  const logged = sizeOfLog(logFileOf(dataDir))
  const begun = markUnfinished(dataDir, archive.manifest.created_at, made)
  try {
    await work(begun)
  } catch (error) {
    const reason = wasFull(place, logged, error) ? diskFullError(dataDir) : errorOf(error)
    await clear(dataDir, begun).catch((left: Error) => {
      const words = `${reason.message}; what the restore wrote into ${dataDir} could not be deleted: ${left.message}`
      throw new SetupError(words, { cause: reason })
    })
    throw reason
  }
  clearUnfinishedMark(dataDir)
}
