import type { Sql } from '../../src/core/db/db.ts'
import { weigh } from './prepare.ts'
import type { Run } from './seed.ts'

const operators = 40
const departments = 8

export async function insertStaff(sql: Sql, { projectId }: Run): Promise<void> {
  await sql`
    with made as (
      select n, pg_temp.seed_id(now()) as id, 'Department ' || n as name from generate_series(1, ${departments}::int) n
    ), kept as (insert into seed_departments select n, id from made)
    insert into departments (project_id, id, name) select ${projectId}, id, name from made`
  await sql`
    with made as (
      select o.n, pg_temp.seed_id(now()) as id, s.text || ' ' || z.text as name
      from generate_series(1, ${operators}::int) as o (n)
      join seed_names s on s.n = o.n join seed_names z on z.n = 1000 + o.n
    ), kept as (insert into seed_operators select n, id, name from made)
    insert into operators (project_id, id, name, email)
    select ${projectId}, id, name, 'operator' || n || '@desk.example' from made`
  await sql`
    insert into department_operators (project_id, department_id, operator_id)
    select ${projectId}, d.id, o.id from seed_operators o join seed_departments d on o.n % ${departments}::int + 1 = d.n`
}

const languages = weigh({ en: 60, de: 15, fr: 10, es: 10, uk: 5 })
const sources = weigh({ api: 20, widget: 50, email: 30 })

/** Contacts with email addresses, some with an external id and a phone number. One in 200 is blocked. */
export const insertContacts = (sql: Sql, { projectId, contacts }: Run, from: number, to: number) => sql`
  with drawn as (
    select n, (1 + floor(random() * 5000))::int as first, (1 + floor(random() * 5000))::int as last,
      pg_temp.seed_at(n::float8 / ${contacts}::int) as created_at
    from generate_series(${from}::int, ${to}::int) n offset 0
  ), made as (
    select d.*, pg_temp.seed_id(created_at) as id, f.text || ' ' || l.text as full_name,
      lower(f.text || '.' || l.text) || '.' || replace(pg_temp.seed_id(created_at)::text, '-', '') || '@mail.example' as email,
      case when d.n % 3 = 0 then 'user-' || ${projectId}::text || '-' || d.n end as external_id,
      case when d.n % 4 = 0 then '+1555' || lpad((random() * 9999999)::int::text, 7, '0') end as phone
    from drawn d join seed_names f on f.n = d.first join seed_names l on l.n = d.last
  ), kept as (insert into seed_contacts select n, id, full_name from made
  ), identity as (
    insert into contact_identities (project_id, type, value, contact_id, is_primary, created_at)
    select ${projectId}::uuid, 'email', email, id, true, created_at from made
    union all
    select ${projectId}::uuid, 'external', external_id, id, true, created_at from made where external_id is not null
  )
  insert into contacts (project_id, id, external_id, full_name, email, phone, language, source, blocked_at, created_at,
    updated_at, last_seen_at)
  select ${projectId}, id, external_id, full_name, email, phone, pg_temp.seed_pick(${languages}::text[]),
    pg_temp.seed_pick(${sources}::text[]), case when n % 200 = 0 then created_at end, created_at,
    created_at + random() * (now() - created_at), created_at + random() * (now() - created_at)
  from made order by n`
