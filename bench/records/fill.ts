import type { Sql } from '../../src/core/db/db.ts'
import { catalogue } from '../../src/events/catalogue.ts'

/**
 * Inserts a project's other records in proportion to its tickets: for each ticket 20 events, 2 deliveries, 2 logged
 * requests and an audit entry, spread evenly over their retention; also a backlog of deliveries, visitors, idempotency keys
 * and articles.
 */

export interface Filled {
  project: string
  webhook: string
  key: string
  operator: string
}

const batch = 1_000_000
const types = Object.keys(catalogue)

/** Creates ids for a time, like `newId`. */
const functions = `
  create or replace function pg_temp.id_at(at timestamptz) returns uuid language sql volatile as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' ||
      substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid $$`

/** The age of row i of n: evenly distributed over the days, the last row being new. */
const spread = (days: number, n: number) => `now() - interval '${days} days' * (1 - i::float8 / ${n})`

async function inBatches(sql: Sql, count: number, insert: (range: string) => string): Promise<void> {
  for (let from = 1; from <= count; from += batch)
    await sql.unsafe(insert(`generate_series(${from}, ${Math.min(count, from + batch - 1)}) i`))
}

async function fillEvents(sql: Sql, { project }: Filled, count: number): Promise<void> {
  const [row] = await sql<{ seq: number }[]>`
    update project_counters set event_seq = event_seq + ${count}::bigint, event_at = now()
    where project_id = ${project} returning event_seq - ${count}::bigint as seq`
  await inBatches(
    sql,
    count,
    range => `
    insert into events (project_id, seq, id, type, data, created_at)
    select '${project}', ${row!.seq} + i, gen_random_uuid(), ('{${types}}'::text[])[1 + i % ${types.length}],
      json_build_object('ticket_id', gen_random_uuid(), 'n', i), ${spread(7, count)} from ${range}`,
  )
}

/** One in a hundred has failed. One in a thousand is due in an hour. */
const fillDeliveries = (sql: Sql, { project, webhook }: Filled, count: number) =>
  inBatches(
    sql,
    count,
    range => `
    with made as (
      select i, pg_temp.id_at(at) as id, at, gen_random_uuid() as event_id, ('{${types}}'::text[])[1 + i % ${types.length}] as type
      from ${range}, lateral (select ${spread(14, count)} as at) t
    ), waiting as (
      insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
      select '${project}', '${webhook}', id, event_id, type, now() + interval '1 hour', at from made where i % 1000 = 1)
    insert into webhook_deliveries (project_id, webhook_id, id, event_seq, event_id, event_type, status, attempts,
      attempts_log, created_at, finished_at)
    select '${project}', '${webhook}', id, i, event_id, type, case when i % 100 = 0 then 'failed' else 'succeeded' end, 1,
      '[{"attempt": 1, "status_code": 200, "latency_ms": 12}]', at, at from made where i % 1000 <> 1`,
  )

/** One in ten thousand got a 500. */
const fillRequests = (sql: Sql, { project, key }: Filled, count: number) =>
  inBatches(
    sql,
    count,
    range => `
    insert into api_requests (project_id, id, request_id, key_id, method, path, status, ms, created_at)
    select '${project}', pg_temp.id_at(at), 'request-' || i, '${key}', case when i % 3 = 0 then 'POST' else 'GET' end,
      '/api/v1/tickets/' || i, case when i % 10000 = 0 then 500 when i % 3 = 0 then 201 else 200 end, 12, at
    from ${range}, lateral (select ${spread(7, count)} as at) t`,
  )

const fillAudit = (sql: Sql, { project, operator }: Filled, count: number) =>
  inBatches(
    sql,
    count,
    range => `
    insert into audit_entries (project_id, id, author_type, author_id, author_name, action, target_type, target_id, created_at)
    select '${project}', pg_temp.id_at(at), 'operator', case when i % 50 = 0 then '${operator}'::uuid else gen_random_uuid() end,
      'Somebody', case when i % 1000 = 0 then 'key.created' else 'tag.changed' end, 'tag', 'target-' || i / 3, at
    from ${range}, lateral (select ${spread(700, count)} as at) t`,
  )

/** Visitors with a contact are kept for 400 days, others for 30. */
async function fillRest(sql: Sql, { project, key }: Filled, count: number): Promise<void> {
  await sql.unsafe(`
    with contact as (select id from contacts where project_id = '${project}' limit 1)
    insert into visitors (project_id, id, token_hash, contact_id, seen_at)
    select '${project}', gen_random_uuid(), sha256(i::text::bytea), contact.id, ${spread(390, count)}
    from generate_series(1, ${count}) i, contact`)
  await sql.unsafe(`
    insert into idempotency_keys (project_id, api_key_id, key, request_hash, status, created_at)
    select '${project}', '${key}', 'key-' || i, '', 200, ${spread(1, count)} from generate_series(1, ${count}) i`)
  await sql.unsafe(`
    insert into rate_windows (bucket, count, ends) select 'bench-' || i, 1, now() + interval '1 minute'
    from generate_series(1, ${count}) i on conflict do nothing`)
  const articles = Math.ceil(count / 10)
  await sql.unsafe(`
    with made as (select i, gen_random_uuid() as id from generate_series(1, ${articles}) i
    ), article as (
      insert into articles (project_id, id, slug, status, created_at)
      select '${project}', id, 'bench-' || i, 'published', now() from made
    ), counted as (insert into article_counts (project_id, article_id) select '${project}', id from made)
    insert into article_translations (project_id, article_id, locale, draft_title, draft_markdown, title, excerpt,
      content_markdown, content_html, content_text, is_public, published_at, created_at, updated_at)
    select '${project}', id, 'en', 'Article ' || i, 'Text', 'Article ' || i, 'Text', 'Text', 'Text',
      'Text about ' || case when i % 100 = 0 then 'billing' else 'orders' end, true, now(), now(), now() - i * interval '1 minute'
    from made`)
}

async function prepare(sql: Sql, project: string): Promise<Filled & { isFilled: boolean }> {
  const [known] = await sql<{ id: string }[]>`
    select id from webhooks where project_id = ${project} and description = 'bench/records'`
  const [{ key, operator }] = await sql<[{ key: string; operator: string }]>`
    select (select id from api_keys where project_id = ${project} limit 1) as key,
      (select id from operators where project_id = ${project} limit 1) as operator`
  if (known) return { project, webhook: known.id, key, operator, isFilled: true }
  const [made] = await sql<[{ id: string }]>`
    insert into webhooks (project_id, id, url, description, secret)
    values (${project}, uuid_v7(), 'https://receiver.example/', 'bench/records', '') returning id`
  return { project, webhook: made.id, key, operator, isFilled: false }
}

/** Runs in one transaction, so that an interrupted run leaves no rows. */
export async function fill(sql: Sql, project: string, tickets: number): Promise<Filled> {
  const { isFilled, ...place } = await prepare(sql, project)
  if (isFilled) return place
  await sql.unsafe(functions)
  await fillEvents(sql, place, 20 * tickets)
  await fillDeliveries(sql, place, 2 * tickets)
  await fillRequests(sql, place, 2 * tickets)
  await fillAudit(sql, place, tickets)
  await fillRest(sql, place, Math.ceil(tickets / 10))
  return place
}
