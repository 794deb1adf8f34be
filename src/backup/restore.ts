import { createWriteStream, existsSync, linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { key as readKey } from '../core/config-values.ts'
import { type Db, withoutTimeout } from '../core/db.ts'
import { layTables } from '../core/migrate.ts'
import { Mistake } from '../core/mistake.ts'
import { compareSecretKey, findSecretKey } from '../core/secret-key.ts'
import type { Archive } from './archive.ts'
import { countRelations } from './queries.ts'
import { fillTables } from './tables.ts'

/** An archive becomes an installation, in a place where there is none: all of it or nothing. */

export interface Place {
  dataDir: string
  secretKey: Buffer | null
}

export interface Restoring extends Place {
  db: Db
  archive: Archive
  /** The one of the archive's installation. */
  key: Buffer
  tell(line: string): void
}

const filesOf = ({ dataDir }: Pick<Place, 'dataDir'>): string => join(dataDir, 'files')

/** Before a database is started in the folder. */
export function refuseUsed(place: Place): void {
  const files = filesOf(place)
  if (existsSync(files) && readdirSync(files).length)
    throw new Mistake(`${files} is not empty; restore into a new DATA_DIR`)
}

async function refuseFull(db: Db): Promise<void> {
  const [row] = await countRelations(db)
  if (row!.count)
    throw new Mistake('The database is not empty; restore into a new one (DATABASE_URL, or a new DATA_DIR)')
}

/** The key of the archive, or the one that is here when it has none; two that differ are refused. */
export async function chooseKey(place: Place, archive: Archive): Promise<Buffer> {
  const { secret_key: entry } = archive.manifest
  const here = findSecretKey(place)
  if (!entry && !here)
    throw new Mistake('The archive has no secret key; set SECRET_KEY to the one of its installation')
  if (!entry) return here!
  const there = readKey(String(await archive.readWhole(entry)).trim())
  if (here && !here.equals(there))
    throw new Mistake('SECRET_KEY, or secret.key in DATA_DIR, is not the key of the archive; leave it out')
  return there
}

/** Where the settings give none; the function that comes back takes it away. */
function keepKey({ dataDir, secretKey, key }: Restoring): () => void {
  const path = join(dataDir, 'secret.key')
  if (secretKey || existsSync(path)) return () => {}
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${key.toString('hex')}\n`, { mode: 0o600, flush: true })
  linkSync(draft, path)
  rmSync(draft)
  return () => rmSync(path, { force: true })
}

async function writeFiles({ dataDir, archive, tell }: Restoring): Promise<void> {
  const { files } = archive.manifest
  const draft = join(dataDir, 'files.restored')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  for (const [at, entry] of files.entries()) {
    const name = entry.name.replace(/^files\//, '')
    if (!/^[\w-]+(\.thumb)?$/.test(name))
      throw new Mistake(`The archive names a file that cannot be: ${name}`)
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

async function writeRows({ db, archive, key, tell }: Restoring): Promise<void> {
  const { manifest } = archive
  await withoutTimeout(db, async own => {
    await own.begin(async tx => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await layTables(tx, manifest.migrations)
      await fillTables(tx, archive, tell)
      await compareSecretKey(tx, key)
    })
    await own`analyze`
  })
}

/** The rows come last: as long as they are not there, the place is still empty. */
export async function restore(restoring: Restoring): Promise<void> {
  refuseUsed(restoring)
  await refuseFull(restoring.db)
  const forgetKey = keepKey(restoring)
  try {
    await writeFiles(restoring)
    await writeRows(restoring)
  } catch (error) {
    forgetKey()
    for (const name of ['files', 'files.restored'])
      await rm(join(restoring.dataDir, name), { recursive: true, force: true })
    throw error
  }
}
