import { allOf, conditionIf, idRange, timeRange } from '../core/db/conditions.ts'
import { anyId, type Fragment, type Sql, unprepared } from '../core/db/db.ts'
import { toDatabase } from '../core/time.ts'
import type { DeliveryContent } from './body.ts'
import { dueBy, insertDueDeliveries } from './queries.ts'
import type { AttemptEntry, DeliveryFilters, DeliveryStatus } from './schema.ts'

export interface DeliveryRow extends DeliveryContent {
  id: string
  webhook_id: string
  event_seq: number | null
  status: DeliveryStatus
  is_test: boolean
  attempts: number
  attempts_log: AttemptEntry[]
  next_attempt_at: string | null
  created_at: string
  finished_at: string | null
  redelivery_of_id: string | null
}

export interface TestDeliveryRow {
  id: string
  event_id: string
  event_type: string
  status: DeliveryStatus
  entry: AttemptEntry
  request_body: string
  created_at: string
}

const shared = (sql: Sql) =>
  sql`project_id, webhook_id, id, event_seq, event_id, event_type, is_test, request_body, attempts, attempts_log, created_at,
    redelivery_of_id`

/** Waiting and finished deliveries. Without a condition inside, Postgres merges the two primary keys and stops early. */
const both = (sql: Sql): Fragment =>
  sql`(
  select ${shared(sql)}, 'pending'::text as status, run_at as next_attempt_at, null::timestamptz as finished_at
  from webhook_queue
  union all
  select ${shared(sql)}, status, null::timestamptz, finished_at from webhook_deliveries
) d`

const ofWebhook = (sql: Sql, projectId: string, webhookId: string): Fragment =>
  sql`d.project_id = ${projectId} and d.webhook_id = ${webhookId}`

/** Ids are made with the database's clock, but those of redeliveries with the clock of a process, which may differ by this. */
const slack = 3_600_000

const isOneOf = (sql: Sql, types: string[]): Fragment =>
  types.length === 1 ? sql`event_type = ${types[0]!}` : sql`event_type = any(${types}::text[])`

const matching = (
  sql: Sql,
  projectId: string,
  webhookId: string,
  { status, created_after, created_before, ...filters }: DeliveryFilters,
): Fragment =>
  allOf(sql, [
    ofWebhook(sql, projectId, webhookId),
    ...timeRange(sql, sql`created_at`, created_after, created_before),
    ...idRange(sql, sql`id`, [created_after, created_before], slack),
    ...conditionIf(status, words => sql`status = any(${words}::text[])`),
    // With this condition, Postgres can use the partial index of deliveries that did not succeed.
    ...(status && !status.includes('succeeded') ? [sql`status <> 'succeeded'`] : []),
    ...conditionIf(filters.event, names => isOneOf(sql, names)),
    ...conditionIf(filters.type, names => isOneOf(sql, names)),
  ])

export const findDeliveries = (
  sql: Sql,
  projectId: string,
  webhookId: string,
  filters: DeliveryFilters,
  condition: Fragment,
  ordering: Fragment,
) =>
  unprepared(sql<{ id: string; sort_value: null }[]>`
    select id, null as sort_value from ${both(sql)}
    where ${matching(sql, projectId, webhookId, filters)} and ${condition} ${ordering}`)

export const listDeliveryRows = (sql: Sql, projectId: string, webhookId: string, ids: string[]) => sql<
  DeliveryRow[]
>`
  select d.*, e.data::text as event_data, e.created_at as event_at
  from ${both(sql)} left join events e on e.project_id = d.project_id and e.seq = d.event_seq
  where ${ofWebhook(sql, projectId, webhookId)} and d.id = ${anyId(sql, ids)}`

export async function countDeliveries(
  sql: Sql,
  projectId: string,
  webhookId: string,
  filters: DeliveryFilters,
  limit: number,
): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
    select count(*) from (
      select from ${both(sql)} where ${matching(sql, projectId, webhookId, filters)} limit ${limit}) counted`)
  return row!.count
}

/** Stores nothing if the subscription has been deleted in the meantime. */
export const insertTestDelivery = (
  sql: Sql,
  projectId: string,
  webhookId: string,
  row: TestDeliveryRow,
) => sql`
  insert into webhook_deliveries (project_id, webhook_id, id, event_id, event_type, status, is_test, attempts,
    attempts_log, request_body, created_at, finished_at)
  select project_id, id, ${row.id}, ${row.event_id}, ${row.event_type}, ${row.status}, true, 1,
    jsonb_build_array(${JSON.stringify(row.entry)}::text::jsonb), ${row.request_body},
    ${toDatabase(row.created_at)}::timestamptz, clock_timestamp()
  from webhooks where project_id = ${projectId} and id = ${webhookId} and deleted_at is null`

/** If two requests redeliver the same event, the second one waits and then sees the delivery of the first. */
export const lockRedelivery = (sql: Sql, webhookId: string, { event_id }: DeliveryRow) => sql`
  select pg_advisory_xact_lock(hashtextextended(${`redelivery ${webhookId} ${event_id}`}, 0))`

/** A delivery of the event that is still waiting for its next attempt. */
export async function findWaitingDelivery(
  sql: Sql,
  projectId: string,
  webhookId: string,
  { event_id }: DeliveryRow,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from webhook_queue
    where project_id = ${projectId} and webhook_id = ${webhookId} and event_id = ${event_id} limit 1`
  return row?.id ?? null
}

/** Queues the event again, if the subscription is active. */
export const insertRedelivery = (
  sql: Sql,
  projectId: string,
  webhookId: string,
  delivery: DeliveryRow,
  newId: string,
) => sql`
  with queued as (
    insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, is_test, request_body,
      redelivery_of_id, run_at, created_at)
    select project_id, id, ${newId}, ${delivery.event_seq}, ${delivery.event_id}, ${delivery.event_type},
      ${delivery.is_test}, ${delivery.is_test ? delivery.request_body : null}, ${delivery.id}, ${dueBy(sql, 'clock_timestamp')}, clock_timestamp()
    from webhooks w where project_id = ${projectId} and id = ${webhookId} and is_active and deleted_at is null
    returning project_id, webhook_id
  ), due as (
    ${insertDueDeliveries(sql, 'queued')}
  ) select from queued`
