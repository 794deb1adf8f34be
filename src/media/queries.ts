import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import { toDatabase } from '../core/time.ts'
import type { Media, MediaItem } from './schema.ts'

/** A file and where its bytes are stored. */
export interface StoredRow extends Pick<Media, 'id' | 'filename' | 'content_type' | 'size' | 'sha256'> {
  has_thumb: boolean
  bucket_id: string | null
  storage_key: string
}

/** A file that everybody may see. */
export interface ShownRow extends StoredRow {
  /** Whether it is a logo or a picture of an article, and not a file of a conversation. */
  is_of_page: boolean
}

export interface NewMedia extends Omit<Media, 'url' | 'thumb_url' | 'message_id' | 'expires_at'> {
  has_thumb: boolean
  bucket_id: string | null
  storage_key: string
  /** Whether it was uploaded for articles. It never belongs to a message. */
  is_article_picture?: boolean
}

const itemColumns = (sql: Sql): Fragment =>
  sql`f.id, f.filename, f.content_type, f.size, f.kind, f.width, f.height, f.duration,
    '/api/v1/media/' || f.id as url,
    case when f.has_thumb then '/api/v1/media/' || f.id || '/thumb' end as thumb_url`

const columns = (sql: Sql): Fragment =>
  sql`${itemColumns(sql)}, f.sha256, f.message_id, f.created_at, f.expires_at`

const stored = (sql: Sql): Fragment =>
  sql`f.id, f.filename, f.content_type, f.size, f.sha256, f.has_thumb, f.bucket_id, f.storage_key`

/** The files of message `m`, as JSON. */
export const mediaOfMessage = (sql: Sql, projectId: string): Fragment =>
  sql`(select coalesce(jsonb_agg(to_jsonb(file) - 'position' order by file.position), '[]') from (
    select ${itemColumns(sql)}, f.position from media f
    where f.project_id = ${projectId} and f.message_id = m.id) file)`

export async function findMedia(sql: Sql, projectId: string, id: string): Promise<Media | null> {
  const [row] = await sql<Media[]>`
    select ${columns(sql)} from media f where f.project_id = ${projectId} and f.id = ${id}`
  return row ?? null
}

export async function findStoredMedia(sql: Sql, projectId: string, id: string): Promise<StoredRow | null> {
  const [row] = await sql<StoredRow[]>`
    select ${stored(sql)} from media f where f.project_id = ${projectId} and f.id = ${id}`
  return row ?? null
}

/** Whether file `f` is not the logo and not for articles: such files never belong to a message. */
const isNoPicture = (sql: Sql, projectId: string): Fragment => sql`
  not f.is_article_picture and f.id is distinct from (select logo_id from projects where id = ${projectId})`

/** Whether the public sees an article that contains file `f`. */
const isInPublicArticle = (sql: Sql): Fragment => sql`
  exists (select from article_pictures u join article_translations t
      on t.project_id = u.project_id and t.article_id = u.article_id and t.locale = u.locale
    where u.project_id = f.project_id and u.media_id = f.id and u.is_published and t.is_public)`

/**
 * Finds a file by a URL without a project: a file of a message, a logo, or a picture of a published article. Files of internal notes
 * need `isSigned`. Files of scheduled messages and suspended projects are not found.
 */
export async function findShownMedia(sql: Sql, id: string, isSigned: boolean): Promise<ShownRow | null> {
  const [row] = await sql<ShownRow[]>`
    select ${stored(sql)}, m.id is null as is_of_page from media f
    join projects p on p.id = f.project_id and p.suspended_at is null
    left join messages m on m.project_id = f.project_id and m.id = f.message_id
    where f.id = ${id} and (p.logo_id = f.id or f.message_id is null and ${isInPublicArticle(sql)} or
      m.deleted_at is null and m.delivery_status <> 'scheduled' and (${isSigned} or not m.is_internal))`
  return row ?? null
}

export async function insertMedia(sql: Sql, projectId: string, file: NewMedia): Promise<Media> {
  const at = toDatabase(file.created_at)
  await sql`
    insert into media (project_id, id, filename, content_type, kind, size, width, height, duration, sha256, has_thumb,
      created_at, expires_at, bucket_id, storage_key, is_article_picture)
    values (${projectId}, ${file.id}, ${file.filename}, ${file.content_type}, ${file.kind}, ${file.size}, ${file.width},
      ${file.height}, ${file.duration}, ${file.sha256}, ${file.has_thumb}, ${at},
      ${at}::timestamptz + interval '24 hours', ${file.bucket_id}, ${file.storage_key},
      ${file.is_article_picture ?? false})`
  return (await findMedia(sql, projectId, file.id))!
}

/** Locks files that can still be attached: files of this project without a message. */
export const lockMedia = (sql: Sql, projectId: string, ids: string[]) => sql<MediaItem[]>`
  select ${itemColumns(sql)} from media f
  where f.project_id = ${projectId} and f.id = ${anyId(sql, ids)} and f.message_id is null
    and ${isNoPicture(sql, projectId)}
  order by f.id for update of f`

export type AttachedFile = Pick<StoredRow, 'id' | 'filename' | 'sha256'>

/** Locks the files of a message, in a fixed order. */
export const lockAttachedFiles = (sql: Sql, projectId: string, messageId: string) => sql<AttachedFile[]>`
  select f.id, f.filename, f.sha256 from media f where f.project_id = ${projectId} and f.message_id = ${messageId}
  order by f.position for update of f`

/** Deletes the files of a message; a trigger records their objects in `stray_objects`. */
export const deleteAttachedFiles = (sql: Sql, projectId: string, messageId: string) => sql`
  delete from media where project_id = ${projectId} and message_id = ${messageId}`

export const listAttachedFiles = (sql: Sql, projectId: string, messageId: string) => sql<AttachedFile[]>`
  select f.id, f.filename, f.sha256 from media f where f.project_id = ${projectId} and f.message_id = ${messageId}
  order by f.position`

export const updateMediaFilename = (sql: Sql, projectId: string, id: string, filename: string) => sql`
  update media set filename = ${filename} where project_id = ${projectId} and id = ${id}`

/** Those of these files that belong to a message. */
export const listUsedMedia = (sql: Sql, projectId: string, ids: string[]) => sql<{ id: string }[]>`
  select id from media where project_id = ${projectId} and id = ${anyId(sql, ids)} and message_id is not null`

/** Detaches the files of a withdrawn message. They may be attached again for a day. */
export const updateMediaDetached = (sql: Sql, projectId: string, messageId: string) => sql`
  update media set message_id = null, expires_at = now() + interval '24 hours'
  where project_id = ${projectId} and message_id = ${messageId}`

/** Keeps files of a draft, so that they are not deleted. */
export const updateMediaExpiry = (sql: Sql, projectId: string, ids: string[]) => sql`
  update media f set expires_at = greatest(f.expires_at, now() + interval '30 days')
  where f.project_id = ${projectId} and f.id = ${anyId(sql, ids)} and f.message_id is null
    and ${isNoPicture(sql, projectId)}`

/** Those of these files that can still be attached. */
export const listFreeMedia = (sql: Sql, projectId: string, ids: string[]) => sql<MediaItem[]>`
  select ${itemColumns(sql)} from media f
  where f.project_id = ${projectId} and f.id = ${anyId(sql, ids)} and f.message_id is null
    and ${isNoPicture(sql, projectId)}`

export const updateMediaAttached = (sql: Sql, projectId: string, messageId: string, ids: string[]) => sql`
  update media f set message_id = ${messageId}, position = o.position, expires_at = null
  from unnest(${ids}::uuid[]) with ordinality as o (id, position)
  where f.project_id = ${projectId} and f.id = o.id`

export interface StoredFile {
  project_id: string
  id: string
  filename: string
  size: number
  bucket_id: string | null
  storage_key: string
}

const placed = (sql: Sql): Fragment => sql`f.project_id, f.id, f.filename, f.size, f.bucket_id, f.storage_key`

/** Files on the disk, of all projects, in the order of the primary key. */
export const listFilesAfter = (sql: Sql, after: StoredFile | null) => sql<StoredFile[]>`
  select ${placed(sql)} from media f
  where f.bucket_id is null
    and ${after ? sql`(f.project_id, f.id) > (${after.project_id}, ${after.id})` : sql`true`}
  order by f.project_id, f.id limit 1000`

/** The newest twenty files of each bucket. */
export const listNewestFiles = (sql: Sql) => sql<StoredFile[]>`
  select f.* from buckets b, lateral (
    select ${placed(sql)} from media f
    where f.bucket_id = b.id and f.project_id = coalesce(b.project_id, f.project_id)
    order by f.created_at desc limit 20) f`

export const hasMedia = async (sql: Sql, projectId: string, id: string): Promise<boolean> =>
  (await sql`select from media where project_id = ${projectId} and id = ${id}`).length > 0
