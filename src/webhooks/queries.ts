import type { Fragment, Sql } from '../core/db/db.ts'
import { noteDueRows } from '../core/due/due-work.ts'

export interface WebhookRow {
  id: string
  url: string
  events: string[]
  is_active: boolean
  description: string
  consecutive_failures: number
  version: number
  created_at: string
}

export interface WebhookTarget {
  url: string
  secret: Buffer
  /** The previous secret, as long as deliveries are also signed with it. */
  previous_secret: Buffer | null
}

export interface NewWebhookRow {
  id: string
  url: string
  events: string[]
  description: string
  secret: Buffer
}

export interface WebhookChange {
  url?: string
  events?: string[]
  description?: string
  is_active?: boolean
}

const columns = (sql: Sql) =>
  sql`id, url, events, is_active, description, consecutive_failures, version, created_at`

const existing = (sql: Sql, projectId: string, id: string) =>
  sql`project_id = ${projectId} and id = ${id} and deleted_at is null`

/** Records in due_work that targets (rows of the CTE `from`) have something due, by the actual clock and not by `dueBy`. */
export const insertDueDeliveries = (sql: Sql, from: string, dueAt: 'run_at' | 'now()' = 'now()'): Fragment =>
  noteDueRows(
    sql,
    'deliveries',
    sql`select project_id, webhook_id as subject_id, ${sql.unsafe(dueAt)} as due_at from ${sql(from)}`,
  )

/** The columns of a target for a query over `webhooks w`. */
export const targetColumns = (sql: Sql): Fragment =>
  sql`w.url, w.secret, case when w.previous_secret_until > now() then w.previous_secret end as previous_secret`

export const insertWebhook = (sql: Sql, projectId: string, row: NewWebhookRow) => sql<WebhookRow[]>`
  insert into webhooks (project_id, id, url, events, description, secret)
  values (${projectId}, ${row.id}, ${row.url}, ${row.events}, ${row.description}, ${row.secret})
  returning ${columns(sql)}`

export const listWebhookRows = (sql: Sql, projectId: string) => sql<WebhookRow[]>`
  select ${columns(sql)} from webhooks
  where project_id = ${projectId} and deleted_at is null order by created_at, id`

export const findWebhookRow = (sql: Sql, projectId: string, id: string) => sql<WebhookRow[]>`
  select ${columns(sql)} from webhooks where ${existing(sql, projectId, id)}`

export const findTarget = (sql: Sql, projectId: string, id: string) => sql<WebhookTarget[]>`
  select ${targetColumns(sql)} from webhooks w where ${existing(sql, projectId, id)}`

/** Changes nothing if the version differs. A change without an effect does not increase the version. */
export const updateWebhook = (
  sql: Sql,
  projectId: string,
  id: string,
  change: WebhookChange,
  version: number | null,
) => {
  const isActive = change.is_active ?? null
  const url = sql`coalesce(${change.url ?? null}, url)`
  const events = sql`coalesce(${change.events ?? null}::text[], events)`
  const description = sql`coalesce(${change.description ?? null}, description)`
  const failures = sql`case when ${isActive}::boolean then 0 else consecutive_failures end`
  const active = sql`coalesce(${isActive}::boolean, is_active)`
  return sql<WebhookRow[]>`
    update webhooks set
      url = ${url}, events = ${events}, description = ${description},
      active_since = case when ${isActive}::boolean and not is_active
        then greatest(clock_timestamp(), active_since + interval '1 microsecond') else active_since end,
      consecutive_failures = ${failures}, is_active = ${active},
      version = version + case when (url, events, description, consecutive_failures, is_active)
        is distinct from (${url}, ${events}, ${description}, ${failures}, ${active}) then 1 else 0 end
    where ${existing(sql, projectId, id)} and version = coalesce(${version}::int, version)
    returning ${columns(sql)}`
}

export const updateSecret = (sql: Sql, projectId: string, id: string, secret: Buffer) => sql<WebhookRow[]>`
  update webhooks set
    previous_secret = secret, previous_secret_until = now() + interval '24 hours',
    secret = ${secret}, version = version + 1
  where ${existing(sql, projectId, id)}
  returning ${columns(sql)}`

/**
 * Deletes the subscription for the API at once, together with the next attempts. A background job deletes the rest and the history.
 * It never waits for the queue while it locks the subscription, because writing an outcome locks the two in the opposite order.
 */
export const deleteWebhookRow = (sql: Sql, projectId: string, id: string) => sql`
  with gone as (
    update webhooks set deleted_at = now(), is_active = false
    where ${existing(sql, projectId, id)} returning project_id, id, id as webhook_id
  ), dropped as (
    delete from webhook_queue where project_id = ${projectId} and ctid = any(array(
      select q.ctid from webhook_queue q join gone g on q.webhook_id = g.id
      where q.project_id = ${projectId} limit 1000 for update of q skip locked))
  ), due as (
    ${insertDueDeliveries(sql, 'gone')}
  ) select from gone`

/**
 * The time up to which deliveries of `webhooks w` are due. With the clock alone, deliveries written after the clock is set back would
 * count as due before the subscription was enabled, or wait until the clock has caught up.
 */
export const dueBy = (sql: Sql, clock: 'now' | 'clock_timestamp' = 'now'): Fragment =>
  sql`greatest(${sql(clock)}(), w.active_since + interval '1 microsecond')`

/**
 * The rows of `webhook_queue q` that wait for `webhooks w`, in a form that only the index by due time can serve. The planner
 * counts live rows. While a transaction holds a snapshot, these are few among thousands of dead ones, so every index looks
 * equally good, and an index that is not sorted by time reads all of them: decision 33.
 */
export const isOfTarget = (sql: Sql): Fragment =>
  sql`q.webhook_id = w.id and q.project_id is not distinct from w.project_id`

/** Whether no process holds a delivery. A lease that is longer than any possible lease (see config.ts) was written before the clock was set back. */
export const isUnclaimed = (sql: Sql): Fragment =>
  sql`(q.lease_until is null or q.lease_until < now() or q.lease_until > now() + interval '1 minute')`

/**
 * CTE `queued`: every subscription with rows in the queue, found by one index probe each, however many rows it has.
 * Must follow `with recursive`.
 */
export const queuedTargets = (sql: Sql): Fragment =>
  sql`
  queued as (
    (select project_id, webhook_id from webhook_queue order by project_id, webhook_id limit 1)
    union all
    select next.project_id, next.webhook_id from queued, lateral (
      select project_id, webhook_id from webhook_queue q
      where (q.project_id, q.webhook_id) > (queued.project_id, queued.webhook_id)
      order by q.project_id, q.webhook_id limit 1) next
  )`

/** How long the oldest due and unclaimed delivery has been due; 0 if there is none. */
export const findOldestDueTime = (sql: Sql) => sql<{ seconds: number }[]>`
  with recursive ${queuedTargets(sql)}
  select coalesce(extract(epoch from now() - min(first.run_at)), 0)::float8 as seconds
  from queued join webhooks w on w.project_id = queued.project_id and w.id = queued.webhook_id, lateral (
    select q.run_at from webhook_queue q
    where ${isOfTarget(sql)}
      and q.run_at > w.active_since and q.run_at <= ${dueBy(sql)} and ${isUnclaimed(sql)}
    order by q.run_at limit 1) as first
  where w.is_active and w.deleted_at is null`
