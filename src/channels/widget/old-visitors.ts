import type { Db } from '../../core/db.ts'
import { tabTimeout } from '../../live/live.ts'
import { deleteVisitors } from './queries.ts'

/** Takes away visitors who are gone for good, and tabs that have fallen silent. */
export async function deleteOldVisitors(db: Db, limit = 1_000): Promise<number> {
  await db`delete from visitor_tabs where seen_at < now() - ${tabTimeout}::text::interval * 10`
  return (await deleteVisitors(db, limit)).count
}
