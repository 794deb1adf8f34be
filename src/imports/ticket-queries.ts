import { anyId, type Sql } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'

/** Statements that write imported tickets, many at once. */

export interface NewTicketRow {
  id: string
  number: number
  subject: string
  status: string
  priority: string
  channel: string
  contact_id: string
  contact_identity: string | null
  operator_id: string | null
  department_id: string | null
  tags: string[]
  custom_fields: Record<string, unknown>
  external_id: string | null
  is_spam: boolean
  language: string | null
  rating: number | null
  rating_comment: string | null
  rated_at: string | null
  snoozed_until: string | null
  closed_at: string | null
  closed_by: object | null
  resolution_secs: number | null
  reopened_count: number
  merged_into_id: string | null
  follow_up_of_id: string | null
  created_at: string
  search: string
}

export const insertImportedTickets = (sql: Sql, projectId: string, rows: NewTicketRow[]) => sql`
  insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, contact_identity, operator_id,
    department_id, tags, custom_fields, external_id, is_spam, language, rating, rating_comment, rated_at, snoozed_until, closed_at,
    closed_by, resolution_secs, reopened_count, merged_into_id, follow_up_of_id, created_at, search, search_version)
  select ${projectId}::uuid, r.id, r.number, r.subject, r.status, r.priority, r.channel, r.contact_id, r.contact_identity, r.operator_id,
    r.department_id, r.tags, r.custom_fields, r.external_id, r.is_spam, r.language, r.rating, r.rating_comment, r.rated_at,
    r.snoozed_until, r.closed_at, r.closed_by, r.resolution_secs, r.reopened_count, r.merged_into_id, r.follow_up_of_id,
    r.created_at, r.search, ${indexVersion}
  from json_populate_recordset(null::tickets, ${JSON.stringify(rows)}::text::json) r`

export interface ActivityRow {
  ticket_id: string
  updated_at: string
  messages_count: number
  last_message_id: string | null
  last_message_at: string | null
  last_message_sender_type: string | null
  last_message_preview: string | null
  first_reply_at: string | null
  first_bot_reply_at: string | null
  last_contact_message_at: string | null
  last_operator_message_at: string | null
  waiting_since: string | null
  imported_until: string | null
  is_merged: boolean
}

/** The trigger `ticket_activity_copies` fills the columns that are copies of the ticket's. */
export const insertActivities = (sql: Sql, projectId: string, rows: ActivityRow[]) => sql`
  insert into ticket_activity (project_id, ticket_id, updated_at, messages_count, last_message_id, last_message_at,
    last_message_sender_type, last_message_preview, first_reply_at, first_bot_reply_at, last_contact_message_at,
    last_operator_message_at, waiting_since, imported_until, is_merged)
  select ${projectId}::uuid, r.ticket_id, r.updated_at, r.messages_count, r.last_message_id, r.last_message_at,
    r.last_message_sender_type, r.last_message_preview, r.first_reply_at, r.first_bot_reply_at, r.last_contact_message_at,
    r.last_operator_message_at, r.waiting_since, r.imported_until, r.is_merged
  from json_populate_recordset(null::ticket_activity, ${JSON.stringify(rows)}::text::json) r`

/** Adds messages to the activity of tickets. The caller has locked it. `waiting_since` does not change. */
export const updateActivities = (sql: Sql, projectId: string, rows: ActivityRow[]) => sql`
  update ticket_activity a set messages_count = a.messages_count + r.messages_count,
    (last_message_id, last_message_at, last_message_sender_type, last_message_preview) = (
      select l.id, l.at, l.sender_type, l.preview from (values
        (a.last_message_id, a.last_message_at, a.last_message_sender_type, a.last_message_preview),
        (r.last_message_id, r.last_message_at, r.last_message_sender_type, r.last_message_preview)
      ) as l (id, at, sender_type, preview) order by l.at desc nulls last, l.id desc limit 1),
    first_reply_at = least(a.first_reply_at, r.first_reply_at),
    first_bot_reply_at = least(a.first_bot_reply_at, r.first_bot_reply_at),
    last_contact_message_at = greatest(a.last_contact_message_at, r.last_contact_message_at),
    last_operator_message_at = greatest(a.last_operator_message_at, r.last_operator_message_at),
    imported_until = greatest(a.imported_until, r.imported_until),
    updated_at = greatest(a.updated_at, r.updated_at)
  from json_populate_recordset(null::ticket_activity, ${JSON.stringify(rows)}::text::json) r
  where a.project_id = ${projectId} and a.ticket_id = r.ticket_id`

/** Operators who have read a ticket up to its last message are treated as having read the imported messages too. */
export const updateReads = (sql: Sql, projectId: string, rows: ActivityRow[]) => sql`
  update ticket_reads t set last_read_message_at = r.imported_until
  from json_populate_recordset(null::ticket_activity, ${JSON.stringify(rows)}::text::json) r
  join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = r.ticket_id
  where t.project_id = ${projectId} and t.ticket_id = r.ticket_id and t.last_read_message_at < r.imported_until
    and t.last_read_message_at >= a.last_message_at`

export interface ParticipantRow {
  ticket_id: string
  address: string
  name: string | null
  is_removed: boolean
  changed_at: string
}

export const insertImportedParticipants = (sql: Sql, projectId: string, rows: ParticipantRow[]) => sql`
  insert into ticket_participants (project_id, ticket_id, address, name, is_removed, changed_at)
  select ${projectId}::uuid, r.ticket_id, r.address, r.name, r.is_removed, r.changed_at
  from json_populate_recordset(null::ticket_participants, ${JSON.stringify(rows)}::text::json) r
  on conflict do nothing`

export interface WidgetTicketRow {
  ticket_id: string
  surface: string
  locale: string | null
  page_url: string | null
}

export const insertWidgetTickets = (sql: Sql, projectId: string, rows: WidgetTicketRow[]) => sql`
  insert into widget_tickets (project_id, ticket_id, surface, locale, page_url)
  select ${projectId}::uuid, r.ticket_id, r.surface, r.locale, r.page_url
  from json_populate_recordset(null::widget_tickets, ${JSON.stringify(rows)}::text::json) r`

export interface KnownTicket {
  id: string
  channel: string
  contact_id: string
  /** The ticket that has its messages: another one if a merge has moved them. */
  place_id: string
}

export const listKnownTickets = (sql: Sql, projectId: string, ids: string[]) => sql<KnownTicket[]>`
  with recursive places as (
    select id as known_id, id from tickets where project_id = ${projectId} and id = ${anyId(sql, ids)}
    union
    select p.known_id, t.merged_into_id from places p
    join tickets t on t.project_id = ${projectId} and t.id = p.id and t.merged_into_id is not null
  )
  select t.id, t.channel, t.contact_id, coalesce(
    (select p.id from places p
      join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id and a.messages_count = 0
      where p.known_id = t.id and p.id <> t.id and exists (select from messages m
        where m.project_id = ${projectId} and m.ticket_id = p.id and m.origin_ticket_id = t.id)
      order by p.id limit 1), t.id) as place_id
  from tickets t where t.project_id = ${projectId} and t.id = ${anyId(sql, ids)}`

/** Locks the project's counter, and returns the last number that was assigned. */
export async function lockTicketNumber(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ ticket_number: number }[]>`
    select ticket_number from project_counters where project_id = ${projectId} for no key update`
  return row!.ticket_number
}

export async function listTakenNumbers(sql: Sql, projectId: string, numbers: number[]): Promise<Set<number>> {
  const rows = await sql<{ number: number }[]>`
    select number from tickets where project_id = ${projectId} and number = any(${numbers}::bigint[])`
  return new Set(rows.map(row => row.number))
}

export const updateNumbers = (sql: Sql, projectId: string, numbers: Map<string, number>) => sql`
  update tickets t set number = n.number
  from unnest(${[...numbers.keys()]}::uuid[], ${[...numbers.values()]}::bigint[]) as n (id, number)
  where t.project_id = ${projectId} and t.id = n.id`

export const updateTicketNumber = (sql: Sql, projectId: string, last: number) => sql`
  update project_counters set ticket_number = greatest(ticket_number, ${last}::bigint) where project_id = ${projectId}`

/** Merges tickets that were imported before the ticket into which they were merged. */
export const updateAwaited = (
  sql: Sql,
  projectId: string,
  source: string,
  ids: ReadonlyMap<string, string>,
) => sql`
  with found as (
    update imported_records r set awaited = null
    from unnest(${[...ids.keys()]}::text[], ${[...ids.values()]}::uuid[]) as n (source_id, id)
    where r.project_id = ${projectId} and r.source = ${source} and r.awaited = n.source_id
    returning r.record_id, n.id
  )
  update tickets t set merged_into_id = f.id from found f
  where t.project_id = ${projectId} and t.id = f.record_id and t.merged_into_id is null and t.id <> f.id`

/** Nobody could write to tickets that are merged in a circle, so each of these tickets that leads back to itself is separated. */
export const updateMergedInCircle = (sql: Sql, projectId: string, ids: string[]) => sql<{ id: string }[]>`
  with recursive chain as (
    select id as start, merged_into_id as next from tickets
    where project_id = ${projectId} and id = ${anyId(sql, ids)} and merged_into_id is not null
    union
    select c.start, t.merged_into_id from chain c
    join tickets t on t.project_id = ${projectId} and t.id = c.next and t.merged_into_id is not null
  )
  update tickets t set merged_into_id = null from chain c
  where t.project_id = ${projectId} and t.id = c.start and c.next = c.start returning t.id`
