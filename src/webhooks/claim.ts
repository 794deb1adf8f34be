import { anyId, type Sql } from '../core/db/db.ts'
import type { DeliveryContent } from './body.ts'
import type { BackloggedTarget } from './find-backlog.ts'
import {
  dueBy,
  insertDueDeliveries,
  isOfTarget,
  isUnclaimedBy,
  targetColumns,
  type WebhookTarget,
} from './queries.ts'
import type { AttemptEntry } from './schema.ts'
import type { FreeCapacity } from './target-concurrency.ts'

/** A delivery that this process holds until its lease ends, with everything that the attempt needs. */
export interface ClaimedDelivery extends WebhookTarget, DeliveryContent {
  project_id: string
  webhook_id: string
  id: string
  claim_id: string
  /** The `ctid` of its row, valid until the row is updated; null if unknown. */
  place: string | null
  attempts: number
  /** How many times the process that held it died during this attempt. */
  lapses: number
  is_test: boolean
}

export interface ClaimRequest {
  id: string
  capacity: FreeCapacity
  /** Projects for which a delivery has just been written. */
  projects: string[]
  backlogged: BackloggedTarget[]
  /** Milliseconds. */
  lease: number
  /** The result of `DatabaseClock.latest`. */
  latest: number | null
}

/** Milliseconds to wait for a claim or for writing outcomes. Both normally take far less. */
export const statementTimeoutMs = 10_000

/** For a failing target, one slot serves the oldest deliveries, so that five in a row fail in time to disable it. */
const maxConsecutiveFailures = 5

/** How far back a claim reads after a notification. The regular check finds older rows. */
const recentInterval = '2 seconds'

/**
 * Claims due deliveries of these targets fairly: the first of each target before the second of any, and no more than a target has
 * free slots. Reads a few index entries per target, however long its queue is, and changes no indexed column. Commits asynchronously:
 * the commit that records an outcome flushes earlier claims too. A crash of Postgres may lose a claim, whose attempt is then repeated.
 */
export const claimDue = (
  sql: Sql,
  { id, capacity, lease, projects, backlogged, latest }: ClaimRequest,
) => sql<ClaimedDelivery[]>`
  with asked as (
    select project_id, webhook_id, min(since) as since from (
      select project_id, id as webhook_id, now() - ${recentInterval}::interval as since
      from webhooks where project_id = ${anyId(sql, projects)}
      union all
      select * from unnest(${backlogged.map(one => one.project_id)}::uuid[],
        ${backlogged.map(one => one.webhook_id)}::uuid[], ${backlogged.map(one => one.since)}::timestamptz[])
    ) each group by 1, 2
  ), busy as (
    select * from unnest(${capacity.targets.map(target => target.id)}::uuid[],
      ${capacity.targets.map(target => target.inFlight)}::int[],
      ${capacity.targets.map(target => Number(target.isProbing))}::int[]) as b (webhook_id, in_flight, probing)
  ), busy_projects as (
    select * from unnest(${capacity.projects.map(project => project.id)}::uuid[],
      ${capacity.projects.map(project => project.freeSlots)}::int[],
      ${capacity.projects.map(project => project.cap)}::int[]) as c (project_id, free_slots, cap)
  ), target as (
    select w.project_id, w.id, w.active_since, asked.since, ${dueBy(sql)} as due_by, coalesce(b.probing = 1, false) as is_probing,
      case when b.probing = 1 then 1 else least(c.cap, ${capacity.cap}::int) end - coalesce(b.in_flight, 0) as free_slots,
      coalesce(c.free_slots, ${capacity.project}::int) as project_free_slots
    from asked join webhooks w on w.project_id = asked.project_id and w.id = asked.webhook_id
      left join busy b on b.webhook_id = w.id
      left join busy_projects c on c.project_id = w.project_id
    where w.is_active and w.deleted_at is null
  ), due as (
    select w.project_id, w.project_free_slots, d.id, d.place, d.ctid
    from target w, lateral (
      select id, ctid, 0 as place from (
        select q.id, q.ctid from webhook_queue q
        where w.is_probing and q.run_at > w.active_since and q.run_at <= w.due_by and ${isUnclaimedBy(sql, latest)}
          and q.ctid = any(array(
            select o.ctid from webhook_queue o
            where o.project_id = w.project_id and o.webhook_id = w.id order by o.id limit ${maxConsecutiveFailures}))
        order by q.run_at limit 1 for update skip locked) as oldest
      union all
      select id, ctid, row_number() over (order by run_at, id)::int from (
        select q.id, q.ctid, q.run_at from webhook_queue q
        where ${isOfTarget(sql)}
          and q.run_at >= w.since and q.run_at > w.active_since and q.run_at <= w.due_by and ${isUnclaimedBy(sql, latest)}
        order by q.run_at limit w.free_slots for update skip locked) as first
      order by place limit w.free_slots
    ) d
    where w.free_slots > 0
  ), chosen as (
    select ctid from (
      select ctid, place, row_number() over (partition by project_id order by place) as project_place, project_free_slots
      from due) ranked
    where project_place <= project_free_slots order by place limit ${capacity.total}
  ), asynchronous as (
    select set_config('synchronous_commit', 'off', true)
  )
  update webhook_queue q set
    claim_id = ${id}, lease_until = now() + ${lease}::int * interval '1 millisecond',
    lapses = q.lapses + (q.lease_until is not null)::int
  from (select distinct ctid from chosen) c, webhooks w, asynchronous
  where q.ctid = c.ctid and w.project_id = q.project_id and w.id = q.webhook_id
  returning q.project_id, q.webhook_id, q.id, q.claim_id, q.ctid::text as place, q.attempts, q.lapses, q.is_test,
    q.event_id, q.event_type, q.request_body, ${targetColumns(sql)},
    (select e.data::text from events e where e.project_id = q.project_id and e.seq = q.event_seq) as event_data,
    (select e.created_at from events e where e.project_id = q.project_id and e.seq = q.event_seq) as event_at`

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

/** Releases claims that this process will not attempt any more, except those whose outcome is being written. */
export const releaseClaims = (sql: Sql, claimIds: string[]) => sql`
  with released as (
    update webhook_queue set claim_id = null, lease_until = null
    where ctid = any(array(
      select ctid from webhook_queue
      where lease_until is not null and claim_id = ${anyId(sql, claimIds)} for update skip locked))
    returning project_id, webhook_id
  ), due as (
    ${insertDueDeliveries(sql, 'released')}
  ) select from released`
