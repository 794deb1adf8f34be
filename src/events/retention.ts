import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'

/** Oldest first: times rise with the numbers, so what is left of a project's log has no gaps. */
export async function deleteOldEvents(
  db: Db,
  { eventRetention }: Pick<Config, 'eventRetention'>,
  limit = 5_000,
): Promise<number> {
  const { count } = await db`
    delete from events where ctid = any(array(
      select ctid from events where created_at < now() - ${eventRetention}::float8 * interval '1 millisecond'
      order by created_at limit ${limit}))`
  return count
}
