import type { Sql } from '../../core/db/db.ts'
import { isId } from '../../core/ids.ts'
import { findWidget } from './choices.ts'

/** The sites that may show the widget; an empty list means all. Null if there is no such project. */
export async function findFrame(sql: Sql, projectId: string): Promise<string[] | null> {
  if (!isId(projectId)) return null
  const { count } = await sql`select from projects where id = ${projectId} and suspended_at is null`
  return count ? (await findWidget(sql, projectId)).choices.allowed_domains : null
}
