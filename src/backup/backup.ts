import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import packageFile from '../../package.json' with { type: 'json' }
import { type Db, type Sql, withoutTimeout } from '../core/db.ts'
import { Mistake } from '../core/mistake.ts'
import { codeOf, SetupError } from '../core/setup-error.ts'
import { copyTo } from './copy.ts'
import { type Linked, linkFiles } from './links.ts'
import { describeTable, type Entry, type Manifest, manifestName, type TableEntry } from './manifest.ts'
import { describeMoment, listApplied, listTables, type TableRow } from './queries.ts'

/** A copy of the whole installation in one file, taken while the server runs. */

export interface Saving {
  db: Db
  dataDir: string
  /** Null leaves it out. */
  secretKey: Buffer | null
  file: string
  tell(line: string): void
}

const newline = 0x0a

/** Adds one entry and waits until it is in the archive. Lines are counted: COPY writes one for each row. */
async function add(
  zip: ZipFile,
  name: string,
  content: Readable | Buffer,
): Promise<Entry & { rows: number }> {
  const hash = createHash('sha256')
  let [bytes, rows] = [0, 0]
  async function* measure() {
    for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++
      yield chunk
    }
  }
  const stream = Readable.from(measure(), { objectMode: false })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stream.once('end', resolve).once('error', reject)
  zip.addReadStream(stream, name, { forceZip64Format: true, compressionLevel: 1, mode: 0o100600 })
  await promise
  return { name, bytes, sha256: hash.digest('hex'), rows }
}

async function addTable(sql: Sql, zip: ZipFile, table: TableRow): Promise<TableEntry> {
  const rows = await sql.unsafe(copyTo(table)).readable()
  const entry = await add(zip, `tables/${table.name}.copy`, rows)
  return { ...entry, table: table.name, columns: table.columns }
}

async function addTables(sql: Sql, zip: ZipFile, tell: Saving['tell']): Promise<TableEntry[]> {
  const entries: TableEntry[] = []
  for (const table of await listTables(sql)) {
    const entry = await addTable(sql, zip, table)
    if (entry.rows) tell(describeTable(entry))
    entries.push(entry)
  }
  return entries
}

async function addFiles(zip: ZipFile, files: Linked, tell: Saving['tell']): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const { name, content } of files.read()) {
    const { rows: _, ...entry } = await add(zip, name, content)
    entries.push(entry)
    if (entries.length % 1_000 === 0) tell(`files: ${entries.length} of ${files.count}`)
  }
  if (files.count) tell(`files: ${entries.length}`)
  if (files.missing) tell(`files: ${files.missing} were not there: deleted just now, or lost before`)
  return entries
}

async function addKey(zip: ZipFile, secretKey: Buffer | null): Promise<Entry | null> {
  if (!secretKey) return null
  const { rows: _, ...entry } = await add(zip, 'secret.key', Buffer.from(`${secretKey.toString('hex')}\n`))
  return entry
}

/** All tables as they were at one moment; the files of that moment are held by links before the first row is read. */
async function fill(zip: ZipFile, { db, dataDir, secretKey, tell }: Saving): Promise<Manifest> {
  const key = await addKey(zip, secretKey)
  let files: Linked | null = null
  try {
    const rows = await withoutTimeout(db, own =>
      own.begin('isolation level repeatable read read only', async tx => {
        await tx`set local idle_in_transaction_session_timeout = 0`
        const [moment] = await describeMoment(tx)
        files = await linkFiles(tx, dataDir)
        return { moment: moment!, migrations: await listApplied(tx), tables: await addTables(tx, zip, tell) }
      }),
    )
    return {
      format: 'deskbell-backup-1',
      deskbell: packageFile.version,
      postgres: rows.moment.version,
      created_at: rows.moment.at,
      migrations: [...rows.migrations],
      tables: rows.tables,
      files: await addFiles(zip, files!, tell),
      secret_key: key,
    }
  } finally {
    await (files as Linked | null)?.release()
  }
}

async function refuseTaken(file: string): Promise<void> {
  try {
    await (await open(file, 'r')).close()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw new Mistake(`Cannot write ${file} (${codeOf(error)})`)
  }
  throw new Mistake(`${file} is there already; name a new file, or remove that one`)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Under its name there is a whole archive or none. */
export async function writeBackup(saving: Saving): Promise<Manifest> {
  const { file } = saving
  await refuseTaken(file)
  const draft = `${file}.partial`
  // What a killed one left, or somebody has put there: the key is in the archive, so it is written into no other file.
  await rm(draft, { force: true })
  const zip = new ZipFile()
  const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(zip.outputStream, output)
  try {
    const filled = fill(zip, saving)
    // A disk that is full ends the reading too.
    const manifest = await Promise.race([filled, written.then(() => filled)])
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestName)
    zip.end()
    await written
    await rename(draft, file)
    await syncFolder(dirname(file))
    return manifest
  } catch (error) {
    output.destroy()
    await written.catch(() => {})
    await rm(draft, { force: true })
    if (['ENOSPC', 'EACCES', 'ENOENT', 'EROFS', 'EISDIR', 'EDQUOT'].includes(codeOf(error)))
      throw new SetupError(`Cannot write ${file} (${codeOf(error)}); choose a place with room`)
    throw error
  }
}
