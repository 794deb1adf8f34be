import type { Readable } from 'node:stream'
import type { Db } from '../core/db/db.ts'
import type { Storages } from '../media/media.ts'
import { type ExportedFile, readFiles, readRows, readSettings } from './rows.ts'
import { type ExportedTable, exportedTables } from './tables.ts'
import { addZipEntry, openZip, textEntry, type ZipDraft } from './zip.ts'

/** Writes the archive of a whole project. */

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

export const entryName = ({ id, filename }: Pick<ExportedFile, 'id' | 'filename'>): string =>
  `files/${id}-${filename.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(-100)}`

async function addFiles(
  draft: ZipDraft,
  { db, storages, projectId, progress }: ArchiveRequest,
): Promise<void> {
  let after = minId
  for (;;) {
    const files = await readFiles(db, projectId, after, page)
    for (const file of files) {
      await progress('files', 0)
      const place = await storages.find(file.bucket_id)
      const content = place && (await place.storage.read(file.storage_key))
      if (content) await addZipEntry(draft, entryName(file), content, false)
    }
    if (files.length < page) return
    after = files.at(-1)!.id
  }
}

async function fill(draft: ZipDraft, writing: ArchiveRequest): Promise<void> {
  draft.zip.addBuffer(Buffer.from(`${await readSettings(writing.db, writing.projectId)}\n`), 'project.json')
  for (const table of exportedTables)
    await addZipEntry(draft, `${table.name}.jsonl`, textEntry(printTable(writing, table)))
  if (writing.hasFiles) await addFiles(draft, writing)
}

/** The bytes of the archive. */
export const writeArchive = (writing: ArchiveRequest): Promise<Readable> =>
  openZip(draft => fill(draft, writing))
