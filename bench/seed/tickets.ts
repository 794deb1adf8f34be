import type { Sql } from '../../src/core/db/db.ts'
import { weigh } from './prepare.ts'
import type { Run } from './seed.ts'

/** Two fifths of the newest tenth are closed and five sixths of the rest, about four fifths of all. */
const open = weigh({ new: 15, open: 40, pending: 30, on_hold: 15 })
const priorities = weigh({ low: 15, normal: 70, high: 12, urgent: 3 })
const channels = weigh({ widget: 45, email: 30, api: 20, telegram: 5 })

/** Rows at the beginning of a table are selected more often, so the first contact has many tickets. */
const drawn = (sql: Sql, { contacts, tickets }: Run, from: number, to: number) => sql`
  select n, pg_temp.seed_at(n::float8 / ${tickets}::int) as created_at,
    1 + floor(${contacts}::int * random() ^ 3)::int as contact,
    case when random() < 0.85 then 1 + floor(40 * random() ^ 2)::int end as operator,
    case when random() < 0.8 then 1 + floor(8 * random() ^ 2)::int end as department,
    (1 + floor(random() * 30000))::int as subject, random() < case when n > 0.9 * ${tickets}::int then 0.4 else 0.844 end as is_closed,
    floor(exp(random() * ln(300)))::int as tag, floor(exp(random() * ln(300)))::int as other_tag, random() as tagging
  from generate_series(${from}::int, ${to}::int) n offset 0`

/** Inserts tickets by number, and keeps the columns that the messages need in a temporary table. */
export const insertTickets = (sql: Sql, run: Run, from: number, to: number) => sql`
  with drawn as materialized (${drawn(sql, run, from, to)}), made as materialized (
    select d.*, pg_temp.seed_id(d.created_at) as id, c.id as contact_id, c.name as contact_name, o.id as operator_id,
      o.name as operator_name, p.id as department_id, s.text as subject_text,
      pg_temp.seed_pick(${channels}::text[]) as channel,
      case when is_closed then least(now(), d.created_at - ln(1 - random()) * interval '3 days') end as closed_at,
      case when tagging < 0.5 then '{}' when tagging < 0.8 then array[t.text] else array[t.text, u.text] end as tags
    from drawn d join seed_contacts c on c.n = contact join seed_subjects s on s.n = subject
      left join seed_operators o on o.n = operator left join seed_departments p on p.n = department
      join seed_tags t on t.n = tag join seed_tags u on u.n = other_tag
  ), kept as (
    insert into seed_tickets
    select n, id, created_at, channel, contact_id, contact_name, operator_id, operator_name, closed_at from made order by n
  )
  insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, operator_id,
    department_id, tags, external_id, is_spam, rating, rated_at, snoozed_until, closed_at, closed_by,
    resolution_secs, version, created_at)
  select ${run.projectId}, id, ${run.firstNumber}::bigint + n - 1, subject_text,
    case when is_closed then 'closed' else pg_temp.seed_pick(${open}::text[]) end,
    pg_temp.seed_pick(${priorities}::text[]), channel, contact_id, operator_id, department_id, tags,
    case when n % 3 = 0 then 'order-' || n end, random() < 0.01,
    case when is_closed and n % 10 = 0 then 1 + floor(random() * 5)::int end, case when is_closed and n % 10 = 0 then closed_at end,
    case when not is_closed and n % 100 = 0 then now() + random() * interval '30 days' end, closed_at,
    case when is_closed then jsonb_build_object('type', 'operator', 'id', operator_id) end,
    extract(epoch from closed_at - created_at)::int, 1 + is_closed::int, created_at
  from made order by n`
