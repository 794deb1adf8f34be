import type { Sql } from '../core/db/db.ts'
import { dueBy, insertDueDeliveries } from './queries.ts'
import { type PrintedFanOut, wants } from './queue.ts'
import type { TakenSlots } from './target-concurrency.ts'

/** The deliveries of one statement that this process leases to itself: as many as it has slots. */
export interface Leasing {
  claimId: string
  /** Milliseconds. */
  lease: number
  slots: readonly TakenSlots[]
}

/** A delivery that was inserted with a lease. Its times and secrets are text, because it is part of a JSON value. */
export interface LeasedRow {
  webhook_id: string
  id: string
  place: string
  event_id: string
  event_type: string
  event_at: string
  url: string
  secret: string
  previous_secret: string | null
}

/** The value of `insertWithLeases`. */
export interface InsertedDeliveries {
  /** How many have no lease. */
  waiting: number
  leased: LeasedRow[] | null
}

/** Like `insertDeliveries`, but the first deliveries of each target get a lease, if this process has slots for them. Its value is `InsertedDeliveries`. */
export const insertWithLeases = (
  sql: Sql,
  projectId: string,
  { claimId, lease, slots }: Leasing,
): PrintedFanOut => ({
  ctes: sql`
  slot as (
    select * from unnest(${slots.map(({ id }) => id)}::uuid[], ${slots.map(({ count }) => count)}::int[])
      as s (webhook_id, count)
  ), wanted as (
    select e.project_id, w.id as webhook_id, e.seq, e.id, e.type, ${dueBy(sql, 'clock_timestamp')} as run_at,
      row_number() over (partition by w.id order by e.seq) <= s.count as is_leased
    from event e join webhooks w on w.project_id = ${projectId} left join slot s on s.webhook_id = w.id
    where ${wants(sql)}
  ), delivery as (
    insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, run_at, created_at, claim_id, lease_until)
    select project_id, webhook_id, uuid_v7(), seq, id, type, run_at, clock_timestamp(), case when is_leased then ${claimId}::uuid end,
      clock_timestamp() + case when is_leased then ${lease}::int end * interval '1 millisecond'
    from wanted
    returning project_id, webhook_id, id, event_id, event_type, event_seq, claim_id, ctid
  ), delivery_due as (${insertDueDeliveries(sql, 'delivery')})`,
  value: sql`json_build_object('waiting', (select count(*) from delivery where claim_id is null), 'leased', (
    select json_agg(json_build_object('webhook_id', d.webhook_id, 'id', d.id, 'place', d.ctid::text, 'event_id', d.event_id,
      'event_type', d.event_type, 'event_at', e.created_at::text, 'url', t.url,
      'secret', encode(t.secret, 'hex'), 'previous_secret', encode(t.previous_secret, 'hex')))
    from delivery d join event e on e.seq = d.event_seq,
      lateral (
        select w.url, w.secret, (select w.previous_secret where w.previous_secret_until > now()) as previous_secret
        from webhooks w where w.project_id = ${projectId} and w.id = d.webhook_id) t
    where d.claim_id is not null))`,
})
