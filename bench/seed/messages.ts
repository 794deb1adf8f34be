import type { Fragment, Sql } from '../../src/core/db/db.ts'
import { weigh } from './prepare.ts'
import type { Run } from './seed.ts'
import { commonest, oldWord, probes } from './words.ts'

const senders = weigh({ contact: 42, operator: 43, bot: 10, system: 5 })

/** Creates the longest conversation: up to 20,000 messages in one ticket of the newest tenth. */
export async function prepareLong(sql: Sql, { tickets }: Run): Promise<void> {
  await sql`insert into seed_long values (greatest(1, floor(${tickets}::int * 0.9)))`
  await sql`analyze seed_tickets`
}

/**
 * Message i of M is written at i/M of the time, as the first one of its ticket or in an earlier ticket. One ticket in 200
 * has no messages.
 */
function drawn(sql: Sql, { tickets, messages }: Run, from: number, to: number): Fragment {
  const long = Math.min(0.1, 200_000 / messages)
  return sql`
    select i, pg_temp.seed_at(i::float8 / ${messages}::int) + random() * interval '1 second' as created_at, is_first,
      case when random() < ${long}::float8 and now_at > l.n then l.n
        when is_first then now_at
        else greatest(1, now_at + floor(ln(1 - random()) * ${Math.max(2, tickets / 500)}::float8)::int) end as near,
      (1 + floor(random() * 60000))::int as one, (1 + floor(random() * 60000))::int as two,
      (1 + floor(random() * 60000))::int as three, random() as length, pg_temp.seed_pick(${senders}::text[]) as drawn_sender
    from (
      select i, ceil(i::float8 * ${tickets}::int / ${messages}::int)::int as now_at,
        ceil(i::float8 * ${tickets}::int / ${messages}::int) > ceil((i - 1)::float8 * ${tickets}::int / ${messages}::int) as is_first
      from generate_series(${from}::int, ${to}::int) i) s, seed_long l offset 0`
}

/** The words with a known frequency. */
const marks = (sql: Sql, { messages }: Run): Fragment =>
  Object.entries(probes).reduce(
    (text, [word, share]) =>
      sql`${text} || case when random() < ${share}::float8 then ${` ${word}`}::text else '' end`,
    sql`case when i <= ${messages}::int / 10 and random() < 0.6 then ${` ${oldWord}`}::text else '' end`,
  )

/** In chronological order, as in a live system. */
export const insertMessages = (sql: Sql, run: Run, from: number, to: number) => sql`
  with drawn as materialized (${drawn(sql, run, from, to)}), placed as (
    select d.*, case when near % 200 = 7 then near - 1 else near end as n,
      case when is_first then 'contact' else drawn_sender end as sender from drawn d
  ), worded as (
    select p.*, t.id as ticket_id, t.channel, case sender when 'contact' then t.contact_id when 'operator' then t.operator_id
        when 'bot' then ${run.projectId}::uuid end as sender_id,
      case sender when 'contact' then t.contact_name when 'operator' then coalesce(t.operator_name, 'Operator')
        when 'bot' then 'Seeded' end as sender_name,
      case when sender = 'system' then 'Status changed' else
        a.text || ${` ${commonest} `}::text || b.text || case when length < 0.5 then '. ' || c.text else '' end ||
        case when length < 0.1 then E'.\n' || c.text || '. ' || a.text || ', ' || b.text else '' end ||
        ${marks(sql, run)} || '.' end as content
    from placed p join seed_tickets t on t.n = p.n
      join seed_phrases a on a.n = one join seed_phrases b on b.n = two join seed_phrases c on c.n = three
    order by i
  )
  insert into messages (project_id, id, ticket_id, sender_type, sender_id, sender_name, content, content_format,
    is_internal, channel, external_id, delivery_updated_at, system, created_at)
  select ${run.projectId}, pg_temp.seed_id(created_at), ticket_id, sender, sender_id, sender_name, content, 'text',
    sender = 'operator' and i % 12 = 0, channel, case when i % 50 = 0 then 'message-' || ${run.firstNumber}::text || '-' || i end,
    created_at, case when sender = 'system' then '{"kind": "status_changed", "data": {}}'::jsonb end, created_at
  from worded`

/** The columns of tickets that are derived from messages. */
export const insertActivity = (sql: Sql, { projectId }: Run) => sql`
  with told as (
    select m.ticket_id, count(*)::int as messages_count, max(created_at) as at,
      min(created_at) filter (where sender_type = 'operator' and not is_internal) as first_reply_at,
      max(created_at) filter (where sender_type = 'contact') as contact_at,
      max(created_at) filter (where sender_type = 'operator' and not is_internal) as operator_at
    from messages m where m.project_id = ${projectId} group by m.ticket_id
  ), last as (
    select distinct on (m.ticket_id) m.ticket_id, m.id, m.created_at, m.sender_type, left(m.content, 140) as preview
    from messages m where m.project_id = ${projectId} and m.sender_type <> 'system'
    order by m.ticket_id, m.created_at desc
  )
  insert into ticket_activity (project_id, ticket_id, updated_at, messages_count, last_message_id, last_message_at,
    last_message_sender_type, last_message_preview, first_reply_at, last_contact_message_at, last_operator_message_at,
    waiting_since)
  select ${projectId}, t.id, greatest(t.created_at, t.closed_at, d.at), coalesce(d.messages_count, 0), l.id, l.created_at,
    l.sender_type, l.preview, d.first_reply_at, d.contact_at, d.operator_at,
    case when d.contact_at > coalesce(d.operator_at, '-infinity') then d.contact_at end
  from seed_tickets t left join told d on d.ticket_id = t.id left join last l on l.ticket_id = t.id order by t.n`

/** The events of the newest messages, numbered by the project's counter. */
export const insertEvents = (sql: Sql, { projectId, events }: Run) => sql`
  with newest as (
    select m.* from messages m join seed_tickets t on t.id = m.ticket_id
    where m.project_id = ${projectId} order by m.created_at desc, m.id desc limit ${events}
  ), numbered as (
    select m.*, row_number() over (order by created_at, id) as place from newest m
  ), counter as (
    update project_counters set event_seq = event_seq + (select count(*) from newest),
      event_at = greatest(event_at, (select max(created_at) from newest))
    where project_id = ${projectId} returning event_seq - (select count(*) from newest) as base
  )
  insert into events (project_id, seq, id, type, data, created_at)
  select ${projectId}, base + place, pg_temp.seed_id(created_at), 'message.created', json_build_object('id', id,
    'message_id', id, 'ticket_id', ticket_id, 'sender_type', sender_type, 'sender_id', sender_id, 'sender_name', sender_name,
    'content', content, 'is_internal', is_internal, 'media', '[]'::json,
    'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), created_at
  from numbered, counter`
