import type { Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { readPicture } from '../core/picture.ts'

/** Pictures of people. They are in the database, because they are small and belong to no project. */

const pictureUrl = (id: string): string => `/api/dashboard/pictures/${id}`

/** Stores the picture and returns its URL. */
export async function setPicture(sql: Sql, userId: string, bytes: Buffer): Promise<string> {
  const { content_type } = await readPicture(bytes)
  const id = newId()
  await sql`
    insert into user_pictures (user_id, id, content_type, bytes) values (${userId}, ${id}, ${content_type}, ${bytes})
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
