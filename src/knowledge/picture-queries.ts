import { anyId, type Sql } from '../core/db/db.ts'

/** A text of an article: the draft of a language, or what the public sees of it. */
export interface PicturePlace {
  articleId: string
  locale: string
  isPublished: boolean
}

/** Only files that were uploaded for articles. Locked before the uses change, so that of two articles the second one sees the uses of the first. */
export const lockPictures = (sql: Sql, projectId: string, ids: string[]) => sql<{ id: string }[]>`
  select id from media where project_id = ${projectId} and id = ${anyId(sql, ids)} and is_article_picture
  order by id for no key update`

export async function listTextPictures(
  sql: Sql,
  projectId: string,
  { articleId, locale, isPublished }: PicturePlace,
): Promise<string[]> {
  const rows = await sql<{ media_id: string }[]>`
    select media_id from article_pictures
    where project_id = ${projectId} and article_id = ${articleId} and locale = ${locale} and is_published = ${isPublished}`
  return rows.map(row => row.media_id)
}

/** The pictures of an article in all languages, or in one. */
export async function listArticlePictures(
  sql: Sql,
  projectId: string,
  articleId: string,
  locale: string | null = null,
): Promise<string[]> {
  const rows = await sql<{ media_id: string }[]>`
    select distinct media_id from article_pictures
    where project_id = ${projectId} and article_id = ${articleId} and locale = coalesce(${locale}, locale)`
  return rows.map(row => row.media_id)
}

export const deleteTextPictures = (
  sql: Sql,
  projectId: string,
  { articleId, locale, isPublished }: PicturePlace,
) => sql`
  delete from article_pictures
  where project_id = ${projectId} and article_id = ${articleId} and locale = ${locale} and is_published = ${isPublished}`

export const insertTextPictures = (
  sql: Sql,
  projectId: string,
  { articleId, locale, isPublished }: PicturePlace,
  ids: string[],
) => sql`
  insert into article_pictures (project_id, article_id, locale, is_published, media_id)
  select ${projectId}, ${articleId}, ${locale}, ${isPublished}, id from unnest(${ids}::uuid[]) as p (id)`

/** Keeps the pictures that an article uses. */
export const updatePicturesKept = (sql: Sql, projectId: string, ids: string[]) => sql`
  update media f set expires_at = null
  where f.project_id = ${projectId} and f.id = ${anyId(sql, ids)} and f.expires_at is not null and exists (
    select from article_pictures p where p.project_id = ${projectId} and p.media_id = f.id)`

/** Lets the cleanup delete pictures that no article uses any more, after a day. */
export const updatePicturesReleased = (sql: Sql, projectId: string, ids: string[]) => sql`
  update media f set expires_at = now() + interval '24 hours'
  where f.project_id = ${projectId} and f.id = ${anyId(sql, ids)} and f.expires_at is null and not exists (
    select from article_pictures p where p.project_id = ${projectId} and p.media_id = f.id)`

export interface PictureSize {
  id: string
  width: number
  height: number
}

export const listPictureSizes = (sql: Sql, projectId: string, ids: string[]) => sql<PictureSize[]>`
  select id, width, height from media
  where project_id = ${projectId} and id = ${anyId(sql, ids)} and width is not null and height is not null`
