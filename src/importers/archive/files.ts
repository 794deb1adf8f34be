import { Readable } from 'node:stream'
import { importFile, listImportedMessages } from '../../imports/imports.ts'
import type { ImportContext, ImportItem } from '../importer.ts'
import { repeatWhileBusy } from '../repeat-while-busy.ts'
import { exportedTime } from './contacts.ts'
import type { ExportFile } from './export-file.ts'
import { fromExportedMessage } from './messages.ts'
import type { ExportedMedia, ExportedMessage } from './record-rows.ts'
import type { Ids } from './rename-ids.ts'

/** The messages of an export, with their files. */

async function* inBatches<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length) yield batch
}

type FilesOfMessages = ReadonlyMap<string, ExportedMedia[]>

async function listFiles(file: ExportFile): Promise<FilesOfMessages> {
  const files = new Map<string, ExportedMedia[]>()
  for await (const row of file.rows('media')) {
    if (row.message_id === null) continue
    const others = files.get(row.message_id) ?? []
    files.set(
      row.message_id,
      [...others, row].sort((one, other) => one.position - other.position),
    )
  }
  return files
}

/** A stream that opens the file only when it is read. */
export const openLazily = (file: ExportFile, id: string) => (): Readable =>
  Readable.from(
    (async function* () {
      const content = await file.openFile(id)
      if (content) yield* content
    })(),
  )

async function storeFile(
  context: ImportContext,
  file: ExportFile,
  row: ExportedMedia,
): Promise<[string, string]> {
  const { id: source_id, filename, created_at } = row
  const stored = { ...context, source_id, filename, created_at: exportedTime(created_at) }
  return [
    source_id,
    await repeatWhileBusy(context, () => importFile(context, stored, openLazily(file, source_id))),
  ]
}

async function* readMessage(
  context: ImportContext,
  file: ExportFile,
  row: ExportedMessage,
  { operators, files }: { operators: Ids; files: FilesOfMessages },
): AsyncGenerator<ImportItem> {
  if (row.delivery_status === 'scheduled') {
    yield { kind: 'skipped', source_id: row.id, reason: 'scheduled' }
    return
  }
  const stored = new Map<string, string>()
  for (const one of files.get(row.id) ?? []) {
    if (!file.hasFile(one.id))
      yield { kind: 'unmapped', field: 'file', value: one.filename, reason: 'not_exported' }
    else if (!context.dryRun) stored.set(...(await storeFile(context, file, one)))
  }
  yield { kind: 'message', item: fromExportedMessage(row, operators, stored) }
}

/** The messages that no earlier run has imported, in batches, and how many others each batch had. */
async function* readNewMessages(
  { db, projectId, source }: ImportContext,
  file: ExportFile,
): AsyncGenerator<{ rows: ExportedMessage[]; existing: number }> {
  for await (const rows of inBatches(file.rows('messages'), 100)) {
    const ids = rows.map(({ id }) => id)
    const before = await listImportedMessages(db, projectId, source, ids)
    const known = new Set(before.map(({ source_id }) => source_id))
    yield { rows: rows.filter(({ id }) => !known.has(id)), existing: known.size }
  }
}

export async function* readMessages(
  context: ImportContext,
  file: ExportFile,
  operators: Ids,
): AsyncGenerator<ImportItem> {
  const files = await listFiles(file)
  for await (const { rows, existing } of readNewMessages(context, file)) {
    if (existing) yield { kind: 'existing', messages: existing }
    for (const row of rows) yield* readMessage(context, file, row, { operators, files })
  }
}
