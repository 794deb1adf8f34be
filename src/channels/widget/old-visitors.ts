import type { Db } from '../../core/db/db.ts'
import { tabTimeout } from '../../live/live.ts'
import { deleteVisitors } from './queries.ts'

/** Deletes visitors who have not been seen for a long time, and tabs that have stopped reporting. */
export async function deleteOldVisitors(db: Db, limit = 1_000): Promise<number> {
  await db`delete from visitor_tabs where seen_at < now() - ${tabTimeout}::text::interval * 10`
  return (await deleteVisitors(db, limit)).count
}
