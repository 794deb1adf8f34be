import type { Sql } from '../../src/core/db/db.ts'
import type { Size } from './seed.ts'
import type { Texts } from './words.ts'

/** The data covers the last three years. Ticket n of N is created at n/N of this time. */
const functions = `
  create function pg_temp.seed_at(share float8) returns timestamptz language sql stable as $$
    select date_trunc('second', now()) - interval '3 years' * (1 - share) $$;
  create function pg_temp.seed_id(at timestamptz) returns uuid language sql volatile as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' ||
      substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid $$;
  create function pg_temp.seed_pick(list text[]) returns text language sql volatile as $$
    select list[1 + floor(random() * cardinality(list))::int] $$`

const tables = `
  create temp table seed_phrases (n int primary key, text text not null);
  create temp table seed_subjects (n int primary key, text text not null);
  create temp table seed_names (n int primary key, text text not null);
  create temp table seed_tags (n int primary key, text text not null);
  create temp table seed_operators (n int primary key, id uuid not null, name text not null);
  create temp table seed_departments (n int primary key, id uuid not null);
  create temp table seed_contacts (n int primary key, id uuid not null, name text);
  create temp table seed_tickets (
    n int primary key, id uuid not null, created_at timestamptz not null, channel text not null,
    contact_id uuid not null, contact_name text, operator_id uuid, operator_name text, closed_at timestamptz);
  create temp table seed_long (n int)`

const insertTexts = (sql: Sql, table: string, texts: string[]) => sql`
  insert into ${sql(table)} (n, text)
  select n, text from unnest(${texts as never}::text[]) with ordinality as t (text, n)`

/** Creates the temporary tables of a run: texts, and later the ids of created rows. */
export async function prepare(sql: Sql, size: Size, { phrases, subjects, names }: Texts): Promise<void> {
  await sql`set local work_mem = '256MB'`
  await sql`set local maintenance_work_mem = '1GB'`
  await sql`set local max_parallel_maintenance_workers = 2`
  await sql`select setseed(${size.seed / 1e9}::float8)`
  await sql.unsafe(functions)
  await sql.unsafe(tables)
  await insertTexts(sql, 'seed_phrases', phrases)
  await insertTexts(sql, 'seed_subjects', subjects)
  await insertTexts(sql, 'seed_names', names)
  const tags = Array.from({ length: 300 }, (_, n) => `tag-${n + 1}`)
  await insertTexts(sql, 'seed_tags', tags)
  for (const table of ['seed_phrases', 'seed_subjects', 'seed_names', 'seed_tags'])
    await sql`analyze ${sql(table)}`
}

/** Repeats each word by its weight. `seed_pick` selects one of the resulting list. */
export const weigh = (shares: Record<string, number>): never =>
  Object.entries(shares).flatMap(([word, share]) => Array(share).fill(word)) as never
