import type { Sql } from '../core/db/db.ts'
import type { Tx } from '../events/transaction.ts'
import {
  deleteTextPictures,
  insertTextPictures,
  listPictureSizes,
  listTextPictures,
  lockPictures,
  type PicturePlace,
  updatePicturesKept,
  updatePicturesReleased,
} from './picture-queries.ts'

/**
 * Pictures in articles are files of the project without a message. The Markdown contains their address; a table says which texts
 * contain which pictures, so that everybody may see the pictures of published texts, and pictures that no text contains are deleted.
 */

const address = /\/api\/media\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\b/gi

const listIds = (text: string): string[] => [
  ...new Set(text.matchAll(address).map(([, id]) => id!.toLowerCase())),
]

async function putPictures(tx: Tx, place: PicturePlace, wanted: string[]): Promise<void> {
  const { projectId } = tx
  const before = await listTextPictures(tx, projectId, place)
  if (!wanted.length && !before.length) return
  const locked = await lockPictures(tx, projectId, [...new Set([...before, ...wanted])].sort())
  const found = new Set(locked.map(({ id }) => id))
  await deleteTextPictures(tx, projectId, place)
  await insertTextPictures(
    tx,
    projectId,
    place,
    wanted.filter(id => found.has(id)),
  )
  await updatePicturesKept(tx, projectId, [...found])
  await updatePicturesReleased(tx, projectId, [...found])
}

/** Records which pictures a draft contains. Files that were not uploaded for articles of the project are ignored. */
export const putDraftPictures = (
  tx: Tx,
  articleId: string,
  locale: string,
  markdown: string,
): Promise<void> => putPictures(tx, { articleId, locale, isPublished: false }, listIds(markdown))

/** Records that the public sees the pictures of the draft. */
export async function publishPictures(tx: Tx, articleId: string, locale: string): Promise<void> {
  const draft = await listTextPictures(tx, tx.projectId, { articleId, locale, isPublished: false })
  await putPictures(tx, { articleId, locale, isPublished: true }, draft)
}

/** Runs a deletion of texts, and then lets the cleanup delete the pictures that no other text contains. */
export async function releasePictures(tx: Tx, ids: string[], deleteTexts: () => Promise<unknown>) {
  const locked = ids.length ? await lockPictures(tx, tx.projectId, ids) : []
  await deleteTexts()
  if (locked.length)
    await updatePicturesReleased(
      tx,
      tx.projectId,
      locked.map(({ id }) => id),
    )
}

/** For programs, which show the text on other websites. */
export const withAbsolutePictures = (html: string, publicUrl: string): string =>
  html.replaceAll(/<img [^>]*>/g, image =>
    image.replace(' src="/api/media/', ` src="${publicUrl.replace(/\/$/, '')}/api/media/`),
  )

const tag = /<img src="\/api\/media\/([\da-f-]{36})"[^>]*>/gi

/** Gives pictures their width and height, so that the text does not jump when they arrive. */
export async function sizePictures(sql: Sql, projectId: string, html: string): Promise<string> {
  const ids = listIds(html)
  if (!ids.length) return html
  const sizes = new Map((await listPictureSizes(sql, projectId, ids)).map(size => [size.id, size]))
  return html.replaceAll(tag, (image, id: string) => {
    const size = sizes.get(id.toLowerCase())
    return size && !/ (?:width|height)="/.test(image)
      ? image.replace('<img ', `<img width="${size.width}" height="${size.height}" `)
      : image
  })
}
