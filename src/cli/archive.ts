import { openArchive } from '../backup/archive.ts'
import { writeBackup } from '../backup/backup.ts'
import { entriesOf, type Manifest } from '../backup/manifest.ts'
import { chooseKey, refuseUsed, restore } from '../backup/restore.ts'
import { readConfig } from '../core/config.ts'
import { pendingMigrations } from '../core/migrate.ts'
import { Mistake } from '../core/mistake.ts'
import { compareSecretKey, findSecretKey } from '../core/secret-key.ts'
import { withSession } from './session.ts'

/** What `backup` and `restore` do; apart from their words, so that other commands load none of it. */

export interface Summary {
  file: string
  created_at: string
  tables: number
  rows: number
  files: number
  bytes: number
  has_secret_key: boolean
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

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

/** A database that was never migrated has nothing to keep; one of an older version is kept as it is. */
export const backUp = (file: string, isKeyless: boolean): Promise<Summary> =>
  withSession(async ({ db, config }) => {
    const [found] = await db`select to_regclass('installation') is not null as exists`
    if (!found!.exists)
      throw new Mistake('There is nothing in this database yet; see DATA_DIR and DATABASE_URL')
    await pendingMigrations(db)
    const secretKey = isKeyless ? null : findSecretKey(config)
    if (!isKeyless) await compareSecretKey(db, secretKey)
    const manifest = await writeBackup({ db, dataDir: config.dataDir, secretKey, file, tell })
    return summarise(file, manifest)
  })

export async function bringBack(file: string): Promise<Summary> {
  const place = readConfig()
  refuseUsed(place)
  const archive = await openArchive(file)
  try {
    const key = await chooseKey(place, archive)
    await withSession(({ db, config }) => restore({ ...config, db, archive, key, tell }))
    return summarise(file, archive.manifest)
  } finally {
    archive.close()
  }
}
