import type { Db } from '../core/db/db.ts'

/** Deletes expired records. Used links are kept for a month, so that the page can say that they were used. */
export async function deleteExpiredRows(db: Db): Promise<number> {
  const deleted = await Promise.all([
    db`delete from user_sessions where expires_at < now()`,
    db`delete from user_tokens where expires_at < now()`,
    db`delete from links where expires_at < now() - interval '30 days'`,
    db`delete from sign_in_attempts where tried_at < now() - interval '1 day' and locked_until < now()`,
  ])
  return deleted.reduce((sum, { count }) => sum + count, 0)
}
