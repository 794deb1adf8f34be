import type { Fragment, Sql } from '../core/db/db.ts'
import type { ClockJump } from './clock.ts'
import { dueBy, isOfTarget, isUnclaimed, queuedTargets } from './queries.ts'

/** Corrects due times after the clock was set. Delays are in milliseconds. */

const retryDelay = (sql: Sql, delays: readonly number[]): Fragment =>
  sql`
    case when q.attempts = 0 then 0
      else coalesce((${delays}::float8[])[q.attempts], ${Math.max(...delays)}::float8) end * interval '1 millisecond'`

/**
 * After the clock is set back, waiting deliveries would wait until it has caught up. Instead, those never attempted become due at
 * once, and retries wait at most their normal pause.
 */
export async function advanceDelayed(sql: Sql, delays: readonly number[], limit: number): Promise<number> {
  const { count } = await sql`
    with recursive ${queuedTargets(sql)}, far as (
      select d.ctid, d.run_at from queued
        join webhooks w on w.project_id = queued.project_id and w.id = queued.webhook_id and w.deleted_at is null,
        lateral (
          select q.ctid, ${dueBy(sql)} + ${retryDelay(sql, delays)} as run_at from webhook_queue q
          where ${isOfTarget(sql)}
            and q.run_at > ${dueBy(sql)} + ${retryDelay(sql, delays)} + interval '1 second' and ${isUnclaimed(sql)}
          order by q.run_at desc limit ${limit} for update skip locked) d
      limit ${limit}
    )
    update webhook_queue q set run_at = far.run_at from far where q.ctid = far.ctid`
  return count
}

interface Row {
  project_id: string
  webhook_id: string
  id: string
}

const minId = '00000000-0000-0000-0000-000000000000'

/**
 * After the clock is put forward, retries would happen too soon, and deliveries in progress would look abandoned. Both had waited
 * by the old clock, and get the time they had left. Each call continues where the last one ended, so nothing is postponed twice.
 * If several processes do this, no delivery waits longer than its whole pause.
 */
export function postponeHurried(sql: Sql, delays: readonly number[], { by, unmoved }: ClockJump) {
  let last: Row = { project_id: minId, webhook_id: minId, id: minId }
  const jump = sql`${by}::float8 * interval '1 millisecond'`
  const then = sql`to_timestamp(${unmoved}::float8 / 1000)`
  const pause = retryDelay(sql, delays)
  return async (limit: number): Promise<number> => {
    const rows = await sql<Row[]>`
      with page as materialized (
        select project_id, webhook_id, id from webhook_queue
        where (project_id, webhook_id, id) > (${last.project_id}::uuid, ${last.webhook_id}::uuid, ${last.id}::uuid)
        order by project_id, webhook_id, id limit ${limit}
      ), held as (
        select q.project_id, q.webhook_id, q.id from webhook_queue q join page using (project_id, webhook_id, id)
        where q.attempts > 0 or q.lease_until is not null
        order by q.project_id, q.webhook_id, q.id for update of q
      ), moved as (
        update webhook_queue q set
          run_at = case when q.attempts > 0 and q.run_at - ${pause} <= ${then}
            then least(q.run_at + ${jump}, now() + ${pause}) else q.run_at end,
          lease_until = case when q.lease_until <= ${then} + interval '1 minute'
            then least(q.lease_until + ${jump}, now() + interval '1 minute') else q.lease_until end
        from held h where q.project_id = h.project_id and q.webhook_id = h.webhook_id and q.id = h.id
      ) select * from page order by project_id, webhook_id, id`
    last = rows.at(-1) ?? last
    return rows.length
  }
}
