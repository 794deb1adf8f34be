import type { Config } from '../core/config/config.ts'
import { changeByProject } from '../core/db/by-project.ts'
import type { Db } from '../core/db/db.ts'

interface Retention extends Pick<Config, 'eventRetention'> {
  /** Names of readers of the log. Events that one of them has not read are kept. */
  readers: string[]
}

/** Deletes the oldest events first. Times increase with the numbers, so the rest of a project's log has no gaps. */
export async function deleteOldEvents(
  db: Db,
  { eventRetention, readers }: Retention,
  limit = 5_000,
): Promise<number> {
  const old = await db<{ project_id: string; seq: number }[]>`
    select project_id, max(seq) as seq from (
      select project_id, seq from events e
      where created_at < now() - ${eventRetention}::float8 * interval '1 millisecond' and not exists (
        select from unnest(${readers}::text[]) as r (reader)
          left join log_cursors l on l.project_id = e.project_id and l.reader = r.reader
        where coalesce(l.seq, 0) < e.seq)
      order by created_at limit ${limit}
    ) o group by 1`
  return changeByProject(old, async (projectId, [last]) => {
    // The number is stored before the events are deleted, so that an empty log continues from here.
    await db`
      update project_counters set event_seq = event_seq where project_id = ${projectId} and event_seq < ${last!.seq}`
    return db`
      delete from events where project_id = ${projectId} and seq <= ${last!.seq}
        and exists (select from project_counters where project_id = ${projectId} and event_seq >= ${last!.seq})`
  })
}
