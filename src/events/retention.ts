import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'

/** Deletes the oldest events first. Times increase with the numbers, so the rest of a project's log has no gaps. */
export async function deleteOldEvents(
  db: Db,
  { eventRetention }: Pick<Config, 'eventRetention'>,
  limit = 5_000,
): Promise<number> {
  const old = db`
    select ctid, project_id, seq from events
    where created_at < now() - ${eventRetention}::float8 * interval '1 millisecond' order by created_at limit ${limit}`
  // The numbers are stored before the events are deleted, so that an empty log continues from here.
  await db`
    update project_counters c set event_seq = event_seq
    from (select project_id, max(seq) as seq from (${old}) each group by 1) o
    where c.project_id = o.project_id and c.event_seq < o.seq`
  const { count } = await db`
    delete from events where ctid = any(array(
      select o.ctid from (${old}) o join project_counters c using (project_id) where o.seq <= c.event_seq))`
  return count
}
