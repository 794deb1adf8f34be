import type { Fragment, Sql } from '../core/db/db.ts'

/**
 * Writes the facts of events. All tables are read in one snapshot: what was changed in a ticket after the event is undone in its
 * description.
 */

/** The text of a field when `s` happened: the old value in the first later change, or the present one. */
const valueThen = (sql: Sql, projectId: string, field: string, present: Fragment): Fragment =>
  sql`
  (select v from (
    (select h.changes->${field}->>0 as v, h.at from ticket_history h
      where h.project_id = ${projectId} and h.ticket_id = s.ticket_id and h.at > s.until and h.changes ? ${field}
      order by h.at, h.id limit 1)
    union all select ${present}::text, 'infinity'
  ) f order by f.at limit 1)`

/** Tags without later changes, and those that were removed first. */
const tagsThen = (sql: Sql, projectId: string): Fragment =>
  sql`
  array(
    with later as (
      select distinct on (c.tag) c.tag, c.was_there from ticket_history h cross join lateral (
        select jsonb_array_elements_text(h.changes->'tags'->'removed') as tag, true as was_there
        union all select jsonb_array_elements_text(h.changes->'tags'->'added'), false
      ) c
      where h.project_id = ${projectId} and h.ticket_id = s.ticket_id and h.at > s.until and h.changes ? 'tags'
      order by c.tag, h.at, h.id
    )
    select tag from unnest(t.tags) as present (tag) where tag not in (select tag from later)
    union all select tag from later where was_there
    order by tag)`

const insertFacts = (sql: Sql, projectId: string, said: Fragment): Fragment =>
  sql`
  with s as (${said})
  insert into report_facts (project_id, source_id, kind, at, ticket_id, cycle, secs, rating, channel, priority, department_id,
    operator_id, tags)
  select ${projectId}::uuid, s.source_id, s.kind, s.at, s.ticket_id,
    ${valueThen(sql, projectId, 'reopened_count', sql`t.reopened_count`)}::int, s.secs, s.rating,
    t.channel, ${valueThen(sql, projectId, 'priority', sql`t.priority`)},
    ${valueThen(sql, projectId, 'department_id', sql`t.department_id`)}::uuid,
    case s.kind when 'rated' then ${valueThen(sql, projectId, 'operator_id', sql`t.operator_id`)}::uuid else s.operator_id end,
    ${tagsThen(sql, projectId)}
  from s join tickets t on t.project_id = ${projectId} and t.id = s.ticket_id
  order by s.ticket_id
  on conflict do nothing`

/** These events of the log, by their numbers. */
const events = (sql: Sql, projectId: string, seqs: number[]): Fragment =>
  sql`
  select e.id, e.type, e.created_at, e.data, (e.data->>'ticket_id')::uuid as ticket_id from events e
  where e.project_id = ${projectId} and e.seq = any((select ${seqs}::bigint[])::bigint[])`

/** `until`: the end of the change, whose events are a few microseconds earlier. */
export const insertTicketFacts = (
  sql: Sql,
  projectId: string,
  seqs: number[],
  kinds: Record<string, string>,
) =>
  sql`${insertFacts(
    sql,
    projectId,
    sql`
    select e.id as source_id, k.kind, e.created_at as at, e.ticket_id, coalesce(own.at, e.created_at) as until,
      (e.data->>'resolution_secs')::int as secs, (e.data->>'rating')::smallint as rating,
      case when k.kind = 'assigned' then (e.data->>'operator_id')::uuid
        when own.by->>'type' = 'operator' then (own.by->>'id')::uuid end as operator_id
    from (${events(sql, projectId, seqs)}) e
      join unnest(${Object.keys(kinds)}::text[], ${Object.values(kinds)}::text[]) as k (type, kind) on k.type = e.type
      left join lateral (
        select h.at, h.by from ticket_history h
        where h.project_id = ${projectId} and h.ticket_id = e.ticket_id and h.at >= e.created_at and e.id = any(h.event_ids)
        order by h.at limit 1
      ) own on true`,
  )}`

/** The earlier messages of the ticket of the reply `m`, without those that a later merge moved here. */
const messagesBefore = (sql: Sql, projectId: string): Fragment =>
  sql`
  from messages o where o.project_id = ${projectId} and o.ticket_id = m.ticket_id and o.created_at < m.created_at
    and o.delivery_status <> 'scheduled'
    and case when m.ticket_id <> e.ticket_id then o.origin_ticket_id = e.ticket_id
      else o.origin_ticket_id is null or not exists (
        select from ticket_history h where h.project_id = ${projectId} and h.ticket_id = o.origin_ticket_id
          and h.at > e.created_at and h.changes ? 'merged_into_id')
      end`

/**
 * A public message of an operator. It is the first reply if no earlier one followed the contact's first message, and it answers the
 * contact's first message since the last one.
 */
export const insertReplyFacts = (sql: Sql, projectId: string, seqs: number[]) =>
  sql`${insertFacts(
    sql,
    projectId,
    sql`
    select m.id as source_id, k.kind, e.created_at as at, e.ticket_id, e.created_at as until, m.sender_id as operator_id,
      extract(epoch from m.created_at - asked.at)::int as secs, null::smallint as rating
    from (${events(sql, projectId, seqs)}) e
      join messages m on m.project_id = ${projectId} and m.id = (e.data->>'message_id')::uuid
      left join lateral (
        select o.created_at as at ${messagesBefore(sql, projectId)} and o.sender_type = 'contact' order by o.created_at limit 1
      ) begun on true
      left join lateral (
        select o.created_at as at ${messagesBefore(sql, projectId)} and o.sender_type = 'operator' and not o.is_internal
        order by o.created_at desc limit 1
      ) replied on true
      left join lateral (
        select o.created_at as at ${messagesBefore(sql, projectId)} and o.sender_type = 'contact'
          and o.created_at > coalesce(replied.at, '-infinity') order by o.created_at limit 1
      ) asked on true
      join (values ('reply'), ('first_reply')) as k (kind)
        on k.kind = 'reply' or (begun.at is not null and coalesce(replied.at < begun.at, true))
    where e.data->>'sender_type' = 'operator' and e.data->>'is_internal' = 'false'`,
  )}`
