import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import packageFile from '../../package.json' with { type: 'json' }
import { SetupError } from '../core/config/setup-error.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { isFull } from '../core/db/full-disk.ts'
import { codeOf } from '../core/thrown.ts'
import { UserError } from '../core/user-error.ts'
import { type ArchiveDraft, addEntry } from './add-entry.ts'
import { copyTo } from './copy.ts'
import { diskFullError, requireDiskSpace } from './disk.ts'
import { type LinkedFiles, linkFiles } from './linked-files.ts'
import { describeTable, type FileEntry, type Manifest, manifestName, type TableEntry } from './manifest.ts'
import { getDataSize, getSnapshotMoment, listApplied, listBackupTables, type TableRow } from './queries.ts'
import { type StallWatch, withStallTimeout } from './stall-timeout.ts'

/** Writes a copy of the whole installation into one file, also while the server runs. */

export interface BackupJob {
  db: Db
  dataDir: string
  /** Null leaves the key out of the archive. */
  secretKey: Buffer | null
  file: string
  tell(line: string): void
}
type Tell = BackupJob['tell']

async function addTable(
  sql: Sql,
  draft: ArchiveDraft,
  table: TableRow,
  { hear }: StallWatch,
): Promise<TableEntry> {
  const rows = await sql.unsafe(copyTo(table)).readable()
  const entry = await addEntry(draft, `tables/${table.name}.copy`, rows, hear)
  return { ...entry, table: table.name, columns: table.columns }
}

async function addTables(
  sql: Sql,
  draft: ArchiveDraft,
  watch: StallWatch,
  tell: Tell,
): Promise<TableEntry[]> {
  const entries: TableEntry[] = []
  for (const table of await listBackupTables(sql)) {
    const entry = await addTable(sql, draft, table, watch)
    if (entry.rows) tell(describeTable(entry))
    entries.push(entry)
  }
  return entries
}

async function addFiles(draft: ArchiveDraft, files: LinkedFiles, tell: Tell): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  for await (const { name, content } of files.read()) {
    const { rows: _, ...entry } = await addEntry(draft, name, content)
    entries.push(entry)
    if (entries.length % 1_000 === 0) tell(`files: ${entries.length} of ${files.count}`)
  }
  if (files.count) tell(`files: ${entries.length}`)
  if (files.missing) tell(`files: ${files.missing} missing: deleted during the backup, or lost earlier`)
  return entries
}

async function addKey(draft: ArchiveDraft, secretKey: Buffer | null): Promise<FileEntry | null> {
  if (!secretKey) return null
  const { rows: _, ...entry } = await addEntry(
    draft,
    'secret.key',
    Buffer.from(`${secretKey.toString('hex')}\n`),
  )
  return entry
}

/** Adds all tables from one snapshot. Its files are hard-linked before the first row is read, so that they are not deleted. */
async function fill(draft: ArchiveDraft, { db, dataDir, secretKey, tell }: BackupJob): Promise<Manifest> {
  const key = await addKey(draft, secretKey)
  const linked: { files: LinkedFiles | null } = { files: null }
  try {
    const rows = await withStallTimeout(db, (own, watch) =>
      own.begin('isolation level repeatable read read only', async tx => {
        await tx`set local idle_in_transaction_session_timeout = 0`
        await watch.follow(tx)
        const [moment] = await getSnapshotMoment(tx)
        linked.files = await linkFiles(tx, dataDir)
        watch.hear()
        const tables = await addTables(tx, draft, watch, tell)
        return { moment: moment!, migrations: await listApplied(tx), tables }
      }),
    )
    return {
      format: 'deskbell-backup-1',
      deskbell: packageFile.version,
      postgres: rows.moment.version,
      created_at: rows.moment.at,
      migrations: [...rows.migrations],
      tables: rows.tables,
      files: await addFiles(draft, linked.files!, tell),
      secret_key: key,
    }
  } finally {
    await linked.files?.release()
  }
}

async function refuseTaken(file: string): Promise<void> {
  try {
    await (await open(file, 'r')).close()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw new UserError(`Cannot write ${file} (${codeOf(error)})`)
  }
  throw new UserError(`${file} already exists. Choose another name, or delete that file`)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Rows need at least a tenth of their tables' size on disk. Most files are photos, which do not compress. */
async function refuseSmall({ db, file }: BackupJob): Promise<void> {
  const [size] = await getDataSize(db)
  requireDiskSpace(file, size!.tables / 10 + size!.files)
}

function explain(error: unknown, { file }: BackupJob): unknown {
  if (isFull(error)) return diskFullError(file)
  if (!['EACCES', 'ENOENT', 'EROFS', 'EISDIR'].includes(codeOf(error))) return error
  return new SetupError(`Cannot write ${file} (${codeOf(error)}); choose another place`)
}

/** Stops the reads if writing fails, because an unread COPY would keep its snapshot open. */
async function write(path: string, saving: BackupJob): Promise<Manifest> {
  const zip = new ZipFile()
  // Ignored here, because the same error also rejects the call that adds the entry.
  zip.on('error', () => {})
  const failed = new AbortController()
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(zip.outputStream, output)
  written.catch(error => failed.abort(error))
  try {
    const manifest = await fill({ zip, signal: failed.signal }, saving)
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestName)
    zip.end()
    await written
    return manifest
  } catch (error) {
    const reason = failed.signal.aborted ? failed.signal.reason : error
    output.destroy()
    await written.catch(() => {})
    throw reason
  }
}

/** The file appears under its name only when it is complete. */
export async function writeBackup(saving: BackupJob): Promise<Manifest> {
  const { file } = saving
  await refuseTaken(file)
  await refuseSmall(saving)
  const draft = `${file}.partial`
  // Removes what a killed backup left. The archive contains the key, so it must not be written into a file that another user made.
  await rm(draft, { force: true })
  try {
    const manifest = await write(draft, saving)
    await rename(draft, file)
    await syncFolder(dirname(file))
    return manifest
  } catch (error) {
    await rm(draft, { force: true })
    throw explain(error, saving)
  }
}
