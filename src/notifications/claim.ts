import type { Db } from '../core/db/db.ts'
import type { DueDigest } from './digest-queries.ts'

/** At most this many are sent at the same time. */
const batchSize = 20

/** Claims due notifications. Those that still exist after a minute, or later if they are older, are due again. */
export const claimPushes = (db: Db, projectId: string) => db<{ id: string }[]>`
  with due as (
    select id from operator_pushes where project_id = ${projectId} and due_at <= now()
    order by due_at limit ${batchSize}::int for no key update skip locked
  ) update operator_pushes p set due_at = now() + greatest(now() - p.created_at, interval '1 minute')
  from due where p.project_id = ${projectId} and p.id = due.id returning p.id`

/** Claims a digest. Unless it is planned again, it is due again later, after a longer wait each time. False if another process has claimed it. */
export async function claimDigest(
  db: Db,
  projectId: string,
  { operator_id, schedule }: DueDigest,
): Promise<boolean> {
  const { count } = await db`
    update operator_digests set due_at = now() + greatest(now() - planned_at, interval '5 minutes')
    where project_id = ${projectId} and operator_id = ${operator_id} and schedule = ${schedule} and due_at <= now()`
  return count > 0
}
