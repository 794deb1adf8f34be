import type { Db } from '../core/db.ts'

/**
 * How long the log is kept. The pauses of a delivery are 7 days in all at most (`WEBHOOK_RETRY_DELAYS`), so nothing that
 * is still to be sent is lost.
 */
const keptDays = 14

export async function deleteOldEvents(db: Db, limit = 5_000): Promise<number> {
  const { count } = await db`
    delete from events where ctid = any(array(
      select ctid from events where created_at < now() - ${keptDays}::int * interval '1 day' limit ${limit}))`
  return count
}
