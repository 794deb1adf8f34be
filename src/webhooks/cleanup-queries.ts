import type { Fragment, Sql } from '../core/db/db.ts'
import { dueBy, insertDueDeliveries, isOfTarget, isUnclaimed, queuedTargets } from './queries.ts'

type Targets = readonly { project_id: string; webhook_id: string }[]

const ofTargets = (sql: Sql, targets: Targets): Fragment =>
  sql`unnest(${targets.map(one => one.project_id)}::uuid[], ${targets.map(one => one.webhook_id)}::uuid[])
    as t (project_id, webhook_id) join webhooks w on w.project_id = t.project_id and w.id = t.webhook_id`

/** Cancels deliveries that became due while their subscription was disabled, or before it was enabled again: specification §6.4, rule 4. */
export async function updateDueToCancelled(sql: Sql, targets: Targets, limit: number): Promise<number> {
  if (targets.length === 0) return 0
  const { count } = await sql`
    with void as (
      select d.ctid from ${ofTargets(sql, targets)}, lateral (
        select q.ctid from webhook_queue q
        where ${isOfTarget(sql)}
          and q.run_at <= case when w.is_active then w.active_since else ${dueBy(sql)} end
          and ${isUnclaimed(sql)}
        order by q.run_at limit ${limit} for update skip locked) d
      where w.deleted_at is null and not (w.is_active and w.active_since = '-infinity')
      limit ${limit}
    ), ended as (
      delete from webhook_queue where ctid = any(array(select ctid from void)) returning *
    )
    insert into webhook_deliveries (project_id, webhook_id, id, event_seq, event_id, event_type, status, is_test,
      attempts, attempts_log, request_body, redelivery_of_id, created_at, finished_at)
    select project_id, webhook_id, id, event_seq, event_id, event_type, 'cancelled', is_test,
      attempts, attempts_log, request_body, redelivery_of_id, created_at, clock_timestamp()
    from ended`
  return count
}

/** Deletes what deleted subscriptions have left behind. */
async function deleteRowsOfDeleted(
  sql: Sql,
  table: 'webhook_queue' | 'webhook_deliveries',
  targets: Targets,
  limit: number,
): Promise<number> {
  if (targets.length === 0) return 0
  const { count } = await sql`
    delete from ${sql(table)} where ctid = any(array(
      select d.ctid from ${ofTargets(sql, targets)}, lateral (
        select l.ctid from ${sql(table)} l
        where l.project_id = w.project_id and l.webhook_id = w.id
        limit ${limit} for update skip locked) d
      where w.deleted_at is not null
      limit ${limit}))`
  return count
}

export const deleteQueueOfDeleted = (sql: Sql, targets: Targets, limit: number) =>
  deleteRowsOfDeleted(sql, 'webhook_queue', targets, limit)
export const deleteHistoryOfDeleted = (sql: Sql, targets: Targets, limit: number) =>
  deleteRowsOfDeleted(sql, 'webhook_deliveries', targets, limit)

/** Deletes deliveries of subscriptions whose row no longer exists. They were written by statements that still saw the subscription. */
export async function deleteOrphans(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    with recursive ${queuedTargets(sql)}
    delete from webhook_queue where ctid = any(array(
      select d.ctid from queued
        left join webhooks w on w.project_id = queued.project_id and w.id = queued.webhook_id,
        lateral (
          select q.ctid from webhook_queue q
          where q.project_id = queued.project_id and q.webhook_id = queued.webhook_id
          limit ${limit} for update skip locked) d
      where w.id is null
      limit ${limit}))`
  return count
}

/** Removes the rows of deleted subscriptions that have nothing left. Statements that still saw them have ended after a minute. */
export async function deleteEmptyWebhooks(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from webhooks w
    where w.deleted_at < now() - interval '1 minute'
      and not exists (select from webhook_queue q where q.project_id = w.project_id and q.webhook_id = w.id)
      and not exists (select from webhook_deliveries h where h.project_id = w.project_id and h.webhook_id = w.id)`
  return count
}

/** Deletes the history that is older than 14 days. */
export async function deleteOldHistory(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries where finished_at < now() - interval '14 days'
      order by finished_at limit ${limit} for update skip locked))`
  return count
}

/** The pause before the next attempt of `webhook_queue q`. Delays are in milliseconds. */
const retryDelay = (sql: Sql, delays: readonly number[]): Fragment =>
  sql`
    case when q.attempts = 0 then 0
      else coalesce((${delays}::float8[])[q.attempts], ${Math.max(...delays)}::float8) end * interval '1 millisecond'`

/**
 * After the clock is set back, waiting deliveries would wait until it has caught up. Instead, those never attempted become due at
 * once, and retries wait at most their normal pause.
 */
export async function updateDelayed(sql: Sql, delays: readonly number[], limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with recursive ${queuedTargets(sql)}, far as (
      select d.ctid, d.run_at from queued
        join webhooks w on w.project_id = queued.project_id and w.id = queued.webhook_id and w.deleted_at is null,
        lateral (
          select q.ctid, ${dueBy(sql)} + ${retryDelay(sql, delays)} as run_at from webhook_queue q
          where ${isOfTarget(sql)} and q.run_at > ${dueBy(sql)} + interval '1 second'
            and q.run_at > ${dueBy(sql)} + ${retryDelay(sql, delays)} + interval '1 second' and ${isUnclaimed(sql)}
          order by q.run_at desc limit ${limit} for update skip locked) d
      limit ${limit}
    ), moved as (
      update webhook_queue q set run_at = far.run_at from far where q.ctid = far.ctid
      returning q.project_id, q.webhook_id, q.run_at
    ), due as (
      ${insertDueDeliveries(sql, 'moved', 'run_at')}
    ) select count(*)::int as count from moved`
  return row!.count
}
