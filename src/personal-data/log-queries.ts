import { anyId, type Fragment, type Sql } from '../core/db/db.ts'

/** Statements that remove the contents of deleted records from logs. The rows of the event log stay, because its numbers have no gaps. */

/** As a scalar, so that the planner looks up each id in the primary key, however many records it believes there are. */
const isDeleted = (sql: Sql, projectId: string, deletionId: string, id: Fragment): Fragment =>
  sql`
  select true from deleted_records r
  where r.project_id = ${projectId} and r.deletion_id = ${deletionId} and r.record_id = ${id}`

/** What the fields of events become. Ids, types and times stay. */
const blankFields = {
  content: '',
  subject: null,
  sender_name: null,
  media: [],
  comment: null,
  preview: '',
  open_url: '',
  external_id: null,
  telegram_user_id: null,
  telegram_id: null,
  email: null,
  full_name: null,
  phone: null,
}

/** The number of the last event of the next page; null if there are none. */
export async function findLastSeq(
  sql: Sql,
  projectId: string,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ seq: string | null }[]>`
    select max(seq)::text as seq from (
      select seq from events where project_id = ${projectId} and seq > ${after}::bigint order by seq limit ${limit}) page`
  return row!.seq
}

/** Clears the data of a page of events about deleted records, and returns their ids. The JSON has no spaces, as the links of an event are found in its text. */
export async function updateEventData(
  sql: Sql,
  projectId: string,
  deletionId: string,
  [after, last]: readonly [string, string],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with named as materialized (
      select e.seq from events e cross join lateral (values (e.data->>'ticket_id'), (e.data->>'message_id'),
          (e.data->>'contact_id'), (e.data->>'internal_id')) as v (named_id)
      where e.project_id = ${projectId} and e.seq > ${after}::bigint and e.seq <= ${last}::bigint
        and e.type ~ '^(ticket|message|contact|visitor)[.]' and (${isDeleted(sql, projectId, deletionId, sql`v.named_id::uuid`)})
    )
    update events e set data = (
      select '{' || string_agg(to_json(f.key) || ':' || coalesce(b.value, f.value)::text, ',' order by f.place) || '}'
      from json_each(e.data) with ordinality as f (key, value, place)
      left join json_each(${JSON.stringify(blankFields)}::text::json) as b on b.key = f.key)::json
    where e.project_id = ${projectId} and e.seq in (select seq from named)
    returning e.id`
  return rows.map(({ id }) => id)
}

const bareLog = (sql: Sql) => sql`
  (select coalesce(jsonb_agg(entry || '{"response_excerpt": null}' order by n), '[]')
    from jsonb_array_elements(attempts_log) with ordinality as a (entry, n))`

/** The delivery after which the next page begins, as its subscription and its id. */
export async function findLastDelivery(
  sql: Sql,
  projectId: string,
  [webhookId, id]: readonly [string, string],
  limit: number,
): Promise<[string, string] | null> {
  const [row] = await sql<{ webhook_id: string; id: string }[]>`
    select webhook_id, id from (
      select webhook_id, id from webhook_deliveries
      where project_id = ${projectId} and (webhook_id, id) > (${webhookId}::uuid, ${id}::uuid)
      order by webhook_id, id limit ${limit}) page
    order by webhook_id desc, id desc limit 1`
  return row ? [row.webhook_id, row.id] : null
}

type DeliveryRange = readonly [readonly [string, string], readonly [string, string]]

export const updateDeliveries = (
  sql: Sql,
  projectId: string,
  deletionId: string,
  [after, last]: DeliveryRange,
) => sql`
  update webhook_deliveries set request_body = null, attempts_log = ${bareLog(sql)}
  where project_id = ${projectId} and (webhook_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)
    and (webhook_id, id) <= (${last[0]}::uuid, ${last[1]}::uuid) and (${isDeleted(sql, projectId, deletionId, sql`event_id`)})`

export const updateQueuedDeliveries = (sql: Sql, projectId: string, deletionId: string) => sql`
  update webhook_queue set request_body = null, attempts_log = ${bareLog(sql)}
  where project_id = ${projectId} and (${isDeleted(sql, projectId, deletionId, sql`event_id`)})`

/** The last request of the next page of the request log; null if there are none. */
export async function findLastRequest(
  sql: Sql,
  projectId: string,
  after: string,
  limit: number,
): Promise<string | null> {
  const [row] = await sql<{ id: string | null }[]>`
    select (array_agg(id order by id desc))[1] as id from (
      select id from api_requests where project_id = ${projectId} and id > ${after} order by id limit ${limit}) page`
  return row!.id
}

export const listRequestsAbout = (
  sql: Sql,
  projectId: string,
  [after, last]: readonly [string, string],
  patterns: string[],
) => sql<{ id: string; path: string }[]>`
  select id, path from api_requests
  where project_id = ${projectId} and id > ${after} and id <= ${last} and path ilike any(${patterns}::text[])`

export const updateRequestPath = (sql: Sql, projectId: string, id: string, path: string) => sql`
  update api_requests set path = ${path} where project_id = ${projectId} and id = ${id}`

interface AuditRow {
  id: string
}

/**
 * Replaces audit entries whose target is named by one of these values with entries without name and detail. They are deleted and inserted,
 * because the table refuses updates. Entries about people and mailboxes of the project stay.
 */
export async function updateAuditEntries(sql: Sql, projectId: string, values: string[]): Promise<void> {
  const found = await sql<AuditRow[]>`
    select id from audit_entries
    where project_id = ${projectId} and target_type not in ('operator', 'mailbox', 'project', 'buyer')
      and lower(target_name) = any(${values}::text[])`
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  await sql`
    with gone as (
      delete from audit_entries where project_id = ${projectId} and id = ${anyId(sql, ids)} returning *
    )
    insert into audit_entries (project_id, id, author_type, author_id, author_name, action, target_type, target_id, created_at)
    select project_id, id, author_type, author_id, author_name, action, target_type, target_id, created_at from gone`
}

/** Finished exports contain the deleted records. Exports in progress begin again. A trigger records the archives in `stray_objects`. */
export const deleteFinishedExports = (sql: Sql, projectId: string) => sql`
  with again as (
    update exports set status = 'waiting', lease_until = null, step = null
    where project_id = ${projectId} and status = 'running'
  )
  delete from exports where project_id = ${projectId} and status = 'done'`
