import type { Sql } from '../core/db/db.ts'
import { dueBy, insertDueDeliveries } from './queries.ts'
import { maxConsecutiveFailures } from './queue.ts'
import type { AttemptEntry } from './schema.ts'

/** The outcome of an attempt. `status` is null if another attempt follows in `pause` milliseconds. */
export interface DeliveryResult {
  project_id: string
  webhook_id: string
  id: string
  claim_id: string
  place: string | null
  status: 'succeeded' | 'failed' | 'cancelled' | null
  entry: AttemptEntry | null
  pause: number | null
}

const isClaimed = (sql: Sql) =>
  sql`q.project_id = o.project_id and q.webhook_id = o.webhook_id and q.id = o.id and q.claim_id = o.claim_id`

/**
 * Ends or postpones deliveries, and updates the failure counts of their subscriptions. Five failed deliveries in a row disable a
 * subscription; a success never enables one. A process that has lost its claim changes nothing. A failed delivery must come
 * alone, so that the count increases once for each. To avoid deadlocks, deliveries are locked by their ids, then subscriptions
 * by theirs. A delivery is found by its `ctid`, and by its ids only if it is no longer there, because an index on the ids can
 * contain as many dead rows as the table.
 */
export const recordResults = (sql: Sql, settled: DeliveryResult[]) => sql`
  with outcome as materialized (
    select * from jsonb_to_recordset(${JSON.stringify(settled)}::text::jsonb) as o (
      project_id uuid, webhook_id uuid, id uuid, claim_id uuid, place tid, status text, entry jsonb, pause float8)
  ), found as (
    select o.id, o.status, o.entry, o.pause, q.ctid as place
    from (select * from outcome order by project_id, webhook_id, id) o,
      lateral (select ctid from webhook_queue q where q.ctid = o.place and ${isClaimed(sql)} for update) q
  ), moved as (
    select o.id, o.status, o.entry, o.pause, q.ctid as place
    from (select * from outcome where id <> all(array(select id from found)) order by project_id, webhook_id, id) o,
      lateral (select ctid from webhook_queue q where ${isClaimed(sql)} for update) q
  ), held as (
    select * from found union all select * from moved
  ), ended as (
    delete from webhook_queue q using held o
    where o.status is not null and q.ctid = any(array(select place from held)) and q.ctid = o.place
    returning q.*, o.status, o.entry
  ), kept as (
    insert into webhook_deliveries (project_id, webhook_id, id, event_seq, event_id, event_type, status, is_test,
      attempts, attempts_log, request_body, redelivery_of_id, created_at, finished_at)
    select e.project_id, e.webhook_id, e.id, e.event_seq, e.event_id, e.event_type, e.status, e.is_test,
      e.attempts + (e.entry is not null)::int, e.attempts_log || coalesce(e.entry, '[]'), e.request_body,
      e.redelivery_of_id, e.created_at, clock_timestamp()
    from ended e join webhooks w on w.project_id = e.project_id and w.id = e.webhook_id and w.deleted_at is null
  ), retried as (
    update webhook_queue q set
      attempts = q.attempts + 1, attempts_log = q.attempts_log || o.entry, lapses = 0,
      run_at = ${dueBy(sql, 'clock_timestamp')} + o.pause * interval '1 millisecond', claim_id = null, lease_until = null
    from held o, webhooks w
    where o.status is null and q.ctid = any(array(select place from held)) and q.ctid = o.place
      and w.project_id = q.project_id and w.id = q.webhook_id
    returning q.project_id, q.webhook_id, q.run_at
  ), due as (
    ${insertDueDeliveries(sql, 'retried', 'run_at')}
  ), counted as (
    select w.project_id, w.id, e.status from webhooks w join (
      select distinct project_id, webhook_id, status from ended where not is_test and status in ('succeeded', 'failed')
    ) e on w.project_id = e.project_id and w.id = e.webhook_id
    where w.deleted_at is null and (e.status = 'failed' or w.consecutive_failures > 0)
    order by w.project_id, w.id for update of w
  )
  update webhooks w set
    consecutive_failures = case e.status when 'failed' then w.consecutive_failures + 1 else 0 end,
    is_active = w.is_active and (e.status = 'succeeded' or w.consecutive_failures + 1 < ${maxConsecutiveFailures}),
    version = w.version + (w.is_active and e.status = 'failed' and w.consecutive_failures + 1 >= ${maxConsecutiveFailures})::int
  from counted e where w.project_id = e.project_id and w.id = e.id`
