import { existsSync } from 'node:fs'
import { type Archive, openArchive } from '../backup/archive.ts'
import { writeBackup } from '../backup/backup.ts'
import { entriesOf, type Manifest } from '../backup/manifest.ts'
import {
  chooseKey,
  isWhole,
  requireEmptyDatabase,
  requireKnownVersion,
  requireUnusedFolder,
  restore,
} from '../backup/restore.ts'
import { removeUnfinished, restoreInFolder } from '../backup/restore-folder.ts'
import { clearUnfinishedMark, findUnfinished, requireNotRunning } from '../backup/unfinished.ts'
import { type Config, readConfig } from '../core/config/config.ts'
import { compareSecretKey, findSecretKey } from '../core/config/secret-key.ts'
import { pendingMigrations } from '../core/db/migrate.ts'
import { clusterOf } from '../core/db/postgres/running.ts'
import { UserError } from '../core/user-error.ts'
import { recordBackupTime } from '../last-backup.ts'
import { output } from './output.ts'
import { withNewSession, withSession } from './session.ts'

/** The work of `backup` and `restore`, in a separate file so that other commands do not load it. */

export interface Summary {
  file: string
  created_at: string
  tables: number
  rows: number
  files: number
  bytes: number
  has_secret_key: boolean
}

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0)

const summarise = (file: string, manifest: Manifest): Summary => ({
  file,
  created_at: manifest.created_at,
  tables: manifest.tables.length,
  rows: sum(manifest.tables.map(({ rows }) => rows)),
  files: manifest.files.length,
  bytes: sum(entriesOf(manifest).map(({ bytes }) => bytes)),
  has_secret_key: manifest.secret_key !== null,
})

/** Refuses a database without tables. A database of an older version is backed up unchanged. */
export const writeBackupArchive = (file: string, isKeyless: boolean): Promise<Summary> =>
  withSession(async ({ db, config }) => {
    const [found] = await db`select to_regclass('installation') is not null as exists`
    if (!found!.exists) throw new UserError('This database is empty. Check DATA_DIR and DATABASE_URL')
    await pendingMigrations(db)
    const secretKey = isKeyless ? null : findSecretKey(config)
    if (!isKeyless) await compareSecretKey(db, secretKey)
    const manifest = await writeBackup({ db, dataDir: config.dataDir, secretKey, file, tell: output.tell })
    recordBackupTime(config.dataDir)
    return summarise(file, manifest)
  })

/** Whether a restore into DATABASE_URL was killed after its commit, and is therefore complete. */
async function hadEnded(place: Config, { manifest }: Archive): Promise<boolean> {
  const begun = findUnfinished(place.dataDir)
  if (!begun?.transaction || begun.made.cluster) return false
  requireNotRunning(place.dataDir, begun)
  if (!(await withNewSession(({ db }) => isWhole(db, begun)))) return false
  clearUnfinishedMark(place.dataDir)
  if (begun.archive === manifest.created_at) return true
  throw new UserError(
    `DATA_DIR: an earlier restore has already filled ${place.dataDir}; restore into a new folder`,
  )
}

/** Checked before the mark is set, because a failure after it removes files, which must not be those of a running server. */
async function refuseInUse({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl || existsSync(clusterOf(dataDir)))
    await withNewSession(({ db }) => requireEmptyDatabase(db))
}

async function fillPlace(place: Config, archive: Archive): Promise<void> {
  await removeUnfinished(place)
  await refuseInUse(place)
  const key = await chooseKey(place, archive)
  await restoreInFolder(place, archive, begun =>
    withNewSession(({ db, config }) => restore({ ...config, db, archive, key, begun, tell: output.tell })),
  )
}

export async function restoreBackupArchive(file: string): Promise<Summary> {
  const place = readConfig()
  requireUnusedFolder(place)
  const archive = await openArchive(file)
  try {
    requireKnownVersion(archive)
    if (!(await hadEnded(place, archive))) await fillPlace(place, archive)
    return summarise(file, archive.manifest)
  } finally {
    archive.close()
  }
}
