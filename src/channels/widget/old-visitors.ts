import { changeIdsByProject } from '../../core/db/by-project.ts'
import type { Db } from '../../core/db/db.ts'
import { tabTimeout } from '../../live/live.ts'
import { deleteVisitors, listOldVisitors } from './queries.ts'

/** Deletes visitors who have not been seen for a long time, and tabs that have stopped reporting. */
export async function deleteOldVisitors(db: Db, limit = 1_000): Promise<number> {
  await db`delete from visitor_tabs where seen_at < now() - ${tabTimeout}::text::interval * 10`
  return changeIdsByProject(await listOldVisitors(db, limit), (projectId, ids) =>
    deleteVisitors(db, projectId, ids),
  )
}
