import { createWriteStream, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import packageFile from '../../package.json' with { type: 'json' }
import { key as readKey } from '../core/config/config-values.ts'
import { compareSecretKey, findSecretKey } from '../core/config/secret-key.ts'
import type { Db } from '../core/db/db.ts'
import { createTables, findUnknownMigration } from '../core/db/migrate.ts'
import { UserError } from '../core/user-error.ts'
import type { Archive } from './archive.ts'
import { countRelations } from './queries.ts'
import { dropPostgres, type InstallationFolder } from './restore-folder.ts'
import { withStallTimeout } from './stall-timeout.ts'
import { fillTables } from './tables.ts'
import { findUnfinished, markTransaction, type UnfinishedRestore } from './unfinished.ts'

/** Restores an archive into an empty DATA_DIR and database, completely or not at all. */

export interface RestoreRequest extends InstallationFolder {
  db: Db
  archive: Archive
  /** The secret key of the archived installation. */
  key: Buffer
  begun: UnfinishedRestore
  tell(line: string): void
}

const filesOf = ({ dataDir }: Pick<InstallationFolder, 'dataDir'>): string => join(dataDir, 'files')

/** Checked before a database is started in the folder. */
export function requireUnusedFolder(place: InstallationFolder): void {
  const files = filesOf(place)
  if (!findUnfinished(place.dataDir) && existsSync(files) && readdirSync(files).length)
    throw new UserError(`${files} is not empty; restore into a new DATA_DIR`)
}

/** Refuses a backup of an unknown version before anything is written. */
export function requireKnownVersion({ manifest }: Archive): void {
  const unknown = findUnknownMigration(manifest.migrations)
  if (!unknown) return
  throw new UserError(
    `The backup was made by Deskbell ${manifest.deskbell}, and this version, ${packageFile.version}, does not know its migration ${unknown.version} ${unknown.name}; restore it with the version that made it, or a later one`,
  )
}

/** Whether an interrupted restore had committed all its rows. */
export async function isWhole(db: Db, { transaction }: UnfinishedRestore): Promise<boolean> {
  const [row] = await db`
    select case when ${transaction}::xid8 < pg_snapshot_xmax(pg_current_snapshot())
      then pg_xact_status(${transaction}::xid8) = 'committed' end as is_whole`
  return row!.is_whole === true
}

export async function requireEmptyDatabase(db: Db): Promise<void> {
  const [row] = await countRelations(db)
  if (row!.count)
    throw new UserError('The database is not empty; restore into a new one (DATABASE_URL, or a new DATA_DIR)')
}

/** The key of the archive, or the current one if the archive has none. Refuses if both exist and differ. */
export async function chooseKey(place: InstallationFolder, archive: Archive): Promise<Buffer> {
  const { secret_key: entry } = archive.manifest
  const here = findSecretKey(place)
  if (!entry && !here)
    throw new UserError(
      'The archive has no secret key; set SECRET_KEY to the key of the installation that was backed up',
    )
  if (!entry) return here!
  const there = readKey(String(await archive.readWhole(entry)).trim())
  if (here && !here.equals(there))
    throw new UserError('SECRET_KEY, or secret.key in DATA_DIR, is not the key of the archive; remove it')
  return there
}

/** Stores the key in DATA_DIR if SECRET_KEY is not set. */
function keepKey({ dataDir, secretKey, key }: RestoreRequest): void {
  const path = join(dataDir, 'secret.key')
  if (secretKey || existsSync(path)) return
  writeFileSync(`${path}.restored`, `${key.toString('hex')}\n`, { mode: 0o600, flush: true })
  renameSync(`${path}.restored`, path)
}

async function writeFiles({ dataDir, archive, tell }: RestoreRequest): Promise<void> {
  const { files } = archive.manifest
  const draft = join(dataDir, 'files.restored')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  for (const [at, entry] of files.entries()) {
    const name = entry.name.replace(/^files\//, '')
    if (!/^[\w-]+(\.thumb)?$/.test(name))
      throw new UserError(`The archive contains an invalid file name: ${name}`)
    const home = join(draft, name.slice(0, 2))
    await mkdir(home, { recursive: true })
    const target = createWriteStream(join(home, name), { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(await archive.read(entry), target)
    if ((at + 1) % 1_000 === 0) tell(`files: ${at + 1} of ${files.length}`)
  }
  if (files.length) tell(`files: ${files.length}`)
  await rm(filesOf({ dataDir }), { recursive: true, force: true })
  await rename(draft, join(dataDir, 'files'))
  const folder = await open(dataDir, 'r')
  await folder.sync().finally(() => folder.close())
}

async function writeRows({ db, archive, key, dataDir, begun, tell }: RestoreRequest): Promise<void> {
  const { manifest } = archive
  await withStallTimeout(db, async (own, watch) => {
    await own.begin(async tx => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await watch.follow(tx)
      await createTables(tx, manifest.migrations)
      await fillTables(tx, archive, watch, tell)
      await compareSecretKey(tx, key)
      const [row] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`
      markTransaction(dataDir, begun, row!.id)
    })
    await watch.follow(own)
    await own`analyze`
  })
}

/** Commits the rows last, so that the database stays empty until then. */
export async function restore(restoring: RestoreRequest): Promise<void> {
  try {
    await requireEmptyDatabase(restoring.db)
    keepKey(restoring)
    await writeFiles(restoring)
    await writeRows(restoring)
  } catch (error) {
    dropPostgres(restoring, restoring.begun)
    throw error
  }
}
