import { addAbortSignal, Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import type { Db } from '../core/db/db.ts'
import { errorOf } from '../core/thrown.ts'
import type { Storages } from '../media/media.ts'
import {
  type ExportedFile,
  type ExportedTable,
  exportedTables,
  readFiles,
  readRows,
  readSettings,
} from './tables.ts'

/** Writes the archive as a stream, so that it is never in memory as a whole. */

const minId = '00000000-0000-0000-0000-000000000000'
const page = 200

export interface ArchiveRequest {
  db: Db
  storages: Storages
  projectId: string
  hasFiles: boolean
  /** Called after each page. Throws if another process has taken over the export. */
  progress(step: string, rows: number): Promise<void>
}

async function* printTable(
  { db, projectId, progress }: ArchiveRequest,
  table: ExportedTable,
): AsyncGenerator<string> {
  let after = minId
  for (;;) {
    const rows = await readRows(db, projectId, table, after, page)
    await progress(table.name, rows.length)
    if (rows.length) yield `${rows.map(row => row.line).join('\n')}\n`
    if (rows.length < page) return
    after = rows.at(-1)!.id
  }
}

/** As bytes, because a stream of objects would buffer sixteen pages. */
const readTable = (writing: ArchiveRequest, table: ExportedTable): Readable =>
  Readable.from(printTable(writing, table), { objectMode: false })

const safeName = ({ id, filename }: ExportedFile): string =>
  `files/${id}-${filename.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(-100)}`

/** The archive being written, with a signal that it is no longer read. */
interface Draft {
  zip: ZipFile
  signal: AbortSignal
}

/** Adds a file and waits until it has been read. If the archive is no longer read, the file is closed. */
async function add({ zip, signal }: Draft, name: string, content: Readable, compress = true): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  content.once('end', resolve).once('error', reject)
  zip.addReadStream(addAbortSignal(signal, content), name, { compress })
  await promise
}

async function addFiles(draft: Draft, { db, storages, projectId, progress }: ArchiveRequest): Promise<void> {
  let after = minId
  for (;;) {
    const files = await readFiles(db, projectId, after, page)
    for (const file of files) {
      await progress('files', 0)
      const place = await storages.find(file.bucket_id)
      const content = place && (await place.storage.read(file.storage_key))
      if (content) await add(draft, safeName(file), content, false)
    }
    if (files.length < page) return
    after = files.at(-1)!.id
  }
}

async function fill(draft: Draft, writing: ArchiveRequest): Promise<void> {
  const { zip } = draft
  zip.addBuffer(Buffer.from(`${await readSettings(writing.db, writing.projectId)}\n`), 'project.json')
  for (const table of exportedTables) await add(draft, `${table.name}.jsonl`, readTable(writing, table))
  if (writing.hasFiles) await addFiles(draft, writing)
  zip.end()
}

/** The bytes of the archive. If writing fails, the stream ends with the error. */
export async function writeArchive(writing: ArchiveRequest): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', error => output.destroy(errorOf(error)))
  const closed = new AbortController()
  output.once('close', () => closed.abort())
  fill({ zip, signal: closed.signal }, writing).catch(error => output.destroy(error))
  return output
}
