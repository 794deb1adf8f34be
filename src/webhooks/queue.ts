import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { PlannedFanOut } from '../events/log.ts'
import type { DeliveryContent } from './body.ts'
import type { BackloggedTarget } from './find-backlog.ts'
import {
  dueBy,
  insertDueDeliveries,
  isOfTarget,
  isUnclaimed,
  targetColumns,
  type WebhookTarget,
} from './queries.ts'
import type { FreeCapacity } from './target-concurrency.ts'

export type PrintedFanOut = ReturnType<PlannedFanOut['print']>

/** The subscriptions `w` that want an event `e`. */
export const wants = (sql: Sql): Fragment =>
  sql`w.is_active and w.deleted_at is null and (w.events = '{}' or e.type = any(w.events))`

/**
 * Inserts a delivery for each active subscription that wants the event, in the statement that writes the event.
 * The clock is read after the subscription. With the start time of the transaction, an event written just after a subscription was
 * enabled would look older than that and be cancelled. The same would happen after the clock is set back, so the later of the two
 * times is used.
 */
export const insertDeliveries = (sql: Sql, projectId: string): PrintedFanOut => ({
  ctes: sql`
  delivery as (
    insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, run_at, created_at)
    select e.project_id, w.id, uuid_v7(), e.seq, e.id, e.type, ${dueBy(sql, 'clock_timestamp')}, clock_timestamp()
    from event e join webhooks w on w.project_id = ${projectId}
    where ${wants(sql)}
    returning project_id, webhook_id
  ), delivery_due as (${insertDueDeliveries(sql, 'delivery')})`,
  value: sql`null`,
})

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
}

/** Milliseconds to wait for a claim or for writing outcomes. Both normally take far less. */
export const statementTimeoutMs = 10_000

/** For a failing target, one slot serves the oldest deliveries, so that five in a row fail in time to disable it. */
export const maxConsecutiveFailures = 5

/** How far back a claim reads after a notification. The regular check finds older rows. */
const recentInterval = '2 seconds'

/**
 * Claims due deliveries of these targets fairly: the first of each target before the second of any, and no more than a target has
 * free slots. Reads a few index entries per target, however long its queue is, and changes no indexed column. Commits asynchronously:
 * the commit that records an outcome flushes earlier claims too. A crash of Postgres may lose a claim, whose attempt is then repeated.
 */
export const claimDue = (sql: Sql, { id, capacity, lease, projects, backlogged }: ClaimRequest) => sql<
  ClaimedDelivery[]
>`
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
        where w.is_probing and q.run_at > w.active_since and q.run_at <= w.due_by and ${isUnclaimed(sql)}
          and q.ctid = any(array(
            select o.ctid from webhook_queue o
            where o.project_id = w.project_id and o.webhook_id = w.id order by o.id limit ${maxConsecutiveFailures}))
        order by q.run_at limit 1 for update skip locked) as oldest
      union all
      select id, ctid, row_number() over (order by run_at, id)::int from (
        select q.id, q.ctid, q.run_at from webhook_queue q
        where ${isOfTarget(sql)}
          and q.run_at >= w.since and q.run_at > w.active_since and q.run_at <= w.due_by and ${isUnclaimed(sql)}
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
