import { importFile } from '../../imports/imports.ts'
import type { ImportContext } from '../importer.ts'
import { repeatWhileBusy } from '../repeat-while-busy.ts'
import { exportedTime } from './contacts.ts'
import type { ExportFile } from './export-file.ts'
import { openLazily } from './files.ts'
import type { ExportedMedia } from './record-rows.ts'
import type { Ids } from './rename-ids.ts'
import type { ExportedArticle } from './rows.ts'

/** The pictures in the articles of an export. */

export type PictureRows = ReadonlyMap<string, ExportedMedia>

/** The files that belong to no message, by their ids. */
export async function listPictureRows(file: ExportFile): Promise<PictureRows> {
  const rows = new Map<string, ExportedMedia>()
  for await (const row of file.rows('media')) if (row.message_id === null) rows.set(row.id, row)
  return rows
}

/** Stores the pictures of an article, and returns their new ids. Those whose file was not exported are left out. */
export async function importPictures(
  context: ImportContext,
  file: ExportFile,
  { pictures = [] }: ExportedArticle,
  rows: PictureRows,
): Promise<Ids> {
  const ids = new Map<string, string>()
  for (const source_id of new Set(pictures.map(({ media_id }) => media_id))) {
    const row = rows.get(source_id)
    if (!row || !file.hasFile(source_id)) continue
    const created_at = exportedTime(row.created_at)
    const stored = { ...context, source_id, filename: row.filename, created_at, is_article_picture: true }
    ids.set(
      source_id,
      await repeatWhileBusy(context, () => importFile(context, stored, openLazily(file, source_id))),
    )
  }
  return ids
}
