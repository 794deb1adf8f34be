import type { Readable } from 'node:stream'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { parseTime, toDatabase } from '../core/time.ts'
import { keepUpload, type NewMedia, type Storages, storeStream } from '../media/media.ts'
import { deleteRecord, findImportedFile, insertRecords, updateMediaCreated } from './queries.ts'
import { type ImportRun, runImportCall } from './run.ts'

export interface FileToImport {
  projectId: string
  source: string
  source_id: string
  filename: string
  /** The type according to the other system, for text files, whose bytes do not show it. */
  content_type?: string | null | undefined
  created_at?: string | null | undefined
  is_article_picture?: boolean
}

async function keep(
  { tx, source, counts }: ImportRun,
  { source_id, created_at, is_article_picture = false }: FileToImport,
  file: NewMedia,
): Promise<string> {
  const { projectId } = tx
  // Another call may have stored the file in the meantime. The object that this call stored is then deleted as a stray.
  const before = await findImportedFile(tx, projectId, source, source_id)
  if (before) return before
  await keepUpload(tx, projectId, { ...file, is_article_picture })
  const time = created_at ? parseTime(created_at) : null
  if (time) await updateMediaCreated(tx, projectId, file.id, toDatabase(time))
  // An earlier call may have stored the file, which then expired.
  await deleteRecord(tx, projectId, source, 'media', source_id)
  await insertRecords(tx, projectId, source, 'media', [{ source_id, record_id: file.id }])
  counts.files++
  return file.id
}

/**
 * Stores a file for a message or an article that is imported within 24 hours, and returns its id. The content of a file that was imported before is
 * not read.
 */
export async function importFile(
  deps: { db: Db; storages: Storages; log: Log },
  file: FileToImport,
  open: () => Readable,
): Promise<string> {
  const { projectId, source, source_id, filename, content_type: contentType } = file
  const known = await findImportedFile(deps.db, projectId, source, source_id)
  if (known) return known
  const stored = await storeStream(deps, { db: deps.db, projectId }, open(), {
    filename,
    contentType,
    // Emails and exports can contain files of any size.
    maxBytes: Number.POSITIVE_INFINITY,
  })
  return runImportCall(deps.db, { projectId, source }, run => keep(run, file, stored))
}
