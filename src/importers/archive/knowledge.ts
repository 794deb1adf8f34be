import type { Sql } from '../../core/db/db.ts'
import { sizePictures } from '../../knowledge/pictures.ts'
import { renderArticle } from '../../knowledge/render.ts'
import type { ImportContext } from '../importer.ts'
import { importPictures, listPictureRows, type PictureRows } from './article-pictures.ts'
import type { ExportFile } from './export-file.ts'
import { findCategoryId, hasSlug, insertArticleRow, insertCategoryRow } from './knowledge-queries.ts'
import { type Ids, renameIds } from './rename-ids.ts'
import type { ExportedArticle, ExportedArticleTranslation, ExportedCategory } from './rows.ts'

/** Imports categories and articles. Those whose slug the project already has stay unchanged. */

/** Sorts parents before their children. */
function sortCategories(rows: ExportedCategory[]): ExportedCategory[] {
  const known = new Map(rows.map(row => [row.id, row]))
  const depthOf = ({ parent_id }: ExportedCategory): number => {
    const parent = parent_id && known.get(parent_id)
    return parent ? 1 + depthOf(parent) : 0
  }
  return rows.toSorted((one, other) => depthOf(one) - depthOf(other))
}

/** Returns the ids of all categories, and how many are new. */
export async function importCategories(
  sql: Sql,
  projectId: string,
  file: ExportFile,
): Promise<{ ids: Ids; made: number }> {
  const ids = new Map<string, string>()
  let made = 0
  for (const row of sortCategories(await Array.fromAsync(file.rows('categories')))) {
    const category = { ...row, parent_id: row.parent_id && (ids.get(row.parent_id) ?? null) }
    const id = await insertCategoryRow(sql, projectId, category)
    if (id) made++
    ids.set(row.id, id ?? (await findCategoryId(sql, projectId, category))!)
  }
  return { ids, made }
}

/** The HTML is rendered again, because HTML from a file cannot be trusted. */
async function render({ db, projectId }: ImportContext, translation: ExportedArticleTranslation) {
  if (translation.content_markdown === null) return { ...translation, content_html: null, content_text: null }
  const { content_html, content_text } = renderArticle(translation.content_markdown)
  const rendered = { content_html: await sizePictures(db, projectId, content_html), content_text }
  return { ...translation, ...rendered }
}

async function importArticle(
  context: ImportContext,
  file: ExportFile,
  row: ExportedArticle,
  ids: Ids,
  pictureRows: PictureRows,
): Promise<boolean> {
  const { db, projectId } = context
  if (await hasSlug(db, projectId, row.slug)) return false
  const pictureIds = await importPictures(context, file, row, pictureRows)
  const { category_id, author_id, pictures = [], translations, ...rest } = renameIds(row, pictureIds)
  return insertArticleRow(db, projectId, {
    ...rest,
    category_id: category_id && (ids.get(category_id) ?? null),
    author_id: author_id && (ids.get(author_id) ?? null),
    translations: await Promise.all(translations.map(one => render(context, one))),
    pictures: pictures.filter(({ media_id }) => [...pictureIds.values()].includes(media_id)),
  })
}

export async function importArticleRows(context: ImportContext, file: ExportFile, ids: Ids): Promise<number> {
  const pictureRows = await listPictureRows(file)
  let made = 0
  for await (const row of file.rows('articles'))
    if (await importArticle(context, file, row, ids, pictureRows)) made++
  return made
}
