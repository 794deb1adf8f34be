import { resolve } from 'node:path'
import { openArchive } from '../../backup/archive.ts'
import { writeBackup } from '../../backup/backup.ts'
import { entriesOf, type Manifest } from '../../backup/manifest.ts'
import { chooseKey, refuseUsed, restore } from '../../backup/restore.ts'
import { readConfig } from '../../core/config.ts'
import { pendingMigrations } from '../../core/migrate.ts'
import { Mistake } from '../../core/mistake.ts'
import { compareSecretKey, findSecretKey } from '../../core/secret-key.ts'
import type { Command } from '../command.ts'
import { withSession } from '../session.ts'

interface Summary {
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

const describe = ({ tables, rows, files, bytes }: Summary): string =>
  `${rows} rows of ${tables} tables, ${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 2 ** 20).toFixed(1)} MiB in all`

/** A database that was never migrated has nothing to keep; one of an older version is kept as it is. */
const backUp = (file: string, isKeyless: boolean): Promise<Manifest> =>
  withSession(async ({ db, config }) => {
    const [found] = await db`select to_regclass('installation') is not null as exists`
    if (!found!.exists)
      throw new Mistake('There is nothing in this database yet; see DATA_DIR and DATABASE_URL')
    await pendingMigrations(db)
    const secretKey = isKeyless ? null : findSecretKey(config)
    if (!isKeyless) await compareSecretKey(db, secretKey)
    return writeBackup({ db, dataDir: config.dataDir, secretKey, file, tell })
  })

async function bringBack(file: string): Promise<Manifest> {
  const place = readConfig()
  refuseUsed(place)
  const archive = await openArchive(file)
  try {
    const key = await chooseKey(place, archive)
    await withSession(({ db, config }) => restore({ ...config, db, archive, key, tell }))
    return archive.manifest
  } finally {
    archive.close()
  }
}

export const backupCommands: Command[] = [
  {
    name: 'backup',
    about:
      'Writes a copy of the installation into a new file: database, files on the disk and the secret key, also while the server runs. Whoever has the file has everything; --without-key leaves the key out, without which webhook secrets and bucket keys in it cannot be read',
    places: ['FILE'],
    flags: ['without-key'],
    run: async values => {
      const file = resolve(values.FILE!)
      return { result: summarise(file, await backUp(file, values['without-key'] === 'yes')) }
    },
    print: (made: Summary) =>
      `${made.file}: ${describe(made)}, ${made.has_secret_key ? 'with' : 'without'} the secret key`,
  },
  {
    name: 'restore',
    about:
      'Makes an installation of such a file, in a DATA_DIR and a database that are empty; looks at all of the file before it changes anything',
    places: ['FILE'],
    run: async values => {
      const file = resolve(values.FILE!)
      return { result: summarise(file, await bringBack(file)) }
    },
    print: (made: Summary) => `Restored the state of ${made.created_at}: ${describe(made)}. Start the server`,
  },
]
