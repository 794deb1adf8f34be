import type { Sql } from '../core/db/db.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'

/** Pictures of people. They are in the database, because they are small and belong to no project. */

const maxPictureBytes = 256 * 1024
const types = ['image/png', 'image/jpeg', 'image/webp']

const pictureUrl = (id: string): string => `/api/dashboard/pictures/${id}`

/** Stores the picture and returns its URL. */
export async function setPicture(sql: Sql, userId: string, bytes: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime
  if (!type || !types.includes(type)) throw refuse('content', 'not_a_picture')
  if (bytes.length > maxPictureBytes)
    throw refuse('content', 'picture_too_large', { max_bytes: maxPictureBytes })
  const id = newId()
  await sql`
    insert into user_pictures (user_id, id, content_type, bytes) values (${userId}, ${id}, ${type}, ${bytes})
    on conflict (user_id) do update
      set id = excluded.id, content_type = excluded.content_type, bytes = excluded.bytes`
  await sql`update users set image = ${pictureUrl(id)}, updated_at = now() where id = ${userId}`
  return pictureUrl(id)
}

export async function removePicture(sql: Sql, userId: string): Promise<void> {
  await sql`delete from user_pictures where user_id = ${userId}`
  await sql`update users set image = null, updated_at = now() where id = ${userId}`
}

export async function findPicture(sql: Sql, id: string) {
  const [row] = await sql<{ content_type: string; bytes: Buffer }[]>`
    select content_type, bytes from user_pictures where id = ${id}`
  return row ?? null
}
