import type { Fragment } from '../core/db.ts'
import type { FanOut } from '../events/log.ts'
import { dueBy, insertDueDeliveries } from './queries.ts'

/**
 * One delivery for each active subscription that wants the event, in the statement that writes the event.
 * The clock is read after the subscription was seen: were it the transaction's start, an event written just after
 * a subscription was switched on again would look older than that and be dropped; and so it would after the clock was set
 * back, hence the later of the two.
 */
export const fanOut: FanOut = sql =>
  sql`
  delivery as (
    insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, run_at, created_at)
    select e.project_id, w.id, uuid_v7(), e.seq, e.id, e.type, ${dueBy(sql, 'clock_timestamp')}, clock_timestamp()
    from event e join webhooks w on w.project_id = e.project_id
    where w.is_active and w.deleted_at is null and (w.events = '{}' or e.type = any(w.events))
    returning project_id, webhook_id
  ), delivery_due as (${insertDueDeliveries(sql, 'delivery')})` as Fragment
