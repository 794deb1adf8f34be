import type { Sql } from '../../core/db.ts'
import { isId } from '../../core/ids.ts'
import { findWidget } from './choices.ts'

/** The sites that may show the widget, none meaning all; null without such a project. */
export async function findFrame(sql: Sql, projectId: string): Promise<string[] | null> {
  if (!isId(projectId)) return null
  const { count } = await sql`select from projects where id = ${projectId} and suspended_at is null`
  return count ? (await findWidget(sql, projectId)).choices.allowed_domains : null
}
