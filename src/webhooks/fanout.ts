import type { FanOut } from '../events/log.ts'
import { dueBy, insertDueDeliveries } from './queries.ts'

/**
 * Inserts a delivery for each active subscription that wants the event, in the statement that writes the event.
 * The clock is read after the subscription. With the start time of the transaction, an event written just after a subscription was
 * enabled would look older than that and be cancelled. The same would happen after the clock is set back, so the later of the two
 * times is used.
 */
export const fanOut: FanOut = sql =>
  sql`
  delivery as (
    insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, run_at, created_at)
    select e.project_id, w.id, uuid_v7(), e.seq, e.id, e.type, ${dueBy(sql, 'clock_timestamp')}, clock_timestamp()
    from event e join webhooks w on w.project_id = e.project_id
    where w.is_active and w.deleted_at is null and (w.events = '{}' or e.type = any(w.events))
    returning project_id, webhook_id
  ), delivery_due as (${insertDueDeliveries(sql, 'delivery')})`
