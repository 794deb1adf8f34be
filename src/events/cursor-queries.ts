import type { Db, Fragment, Sql } from '../core/db/db.ts'
import { newestSeqOf } from './log.ts'

/** An event on a page of the log. Readers that need its data join the table. */
export interface FollowedEvent {
  seq: number
  id: string
  type: string
  /** Null for events that are not about a ticket. */
  ticket_id: string | null
}

/** A ticket whose events a reader failed to handle this many times is set aside: the reader continues without it. */
export const maxTicketFailures = 3

/** The number of the last event that was read. Null if another process is reading, or if there is no row yet. */
export async function lockLogCursor(sql: Sql, projectId: string, reader: string): Promise<number | null> {
  const [row] = await sql<{ seq: number }[]>`
    select seq from log_cursors where project_id = ${projectId} and reader = ${reader} for no key update skip locked`
  return row?.seq ?? null
}

/** Waits for the process that is reading. */
export const getLogCursor = (sql: Sql, projectId: string, reader: string) => sql<{ seq: number }[]>`
  select seq from log_cursors where project_id = ${projectId} and reader = ${reader} for no key update`

/** Like `lockLogCursor`, but for the first page of a project. Null if there already is a row. */
export async function insertLogCursor(sql: Sql, projectId: string, reader: string): Promise<number | null> {
  const [row] = await sql<{ seq: number }[]>`
    insert into log_cursors (project_id, reader) values (${projectId}, ${reader}) on conflict do nothing returning seq`
  return row?.seq ?? null
}

/** A page that was handled proves that the tickets on it can be handled. */
export const updateLogCursor = (sql: Sql, projectId: string, reader: string, seq: number) => sql`
  with passed as (
    delete from log_failures where project_id = ${projectId} and reader = ${reader} and failures < ${maxTicketFailures}::int
  ) update log_cursors set seq = ${seq} where project_id = ${projectId} and reader = ${reader}`

const columns = (sql: Sql): Fragment => sql`seq, id, type, data->>'ticket_id' as ticket_id`

export const listEventsAfter = (sql: Sql, projectId: string, seq: number, limit: number) => sql<
  FollowedEvent[]
>`
  select ${columns(sql)} from events where project_id = ${projectId} and seq > ${seq} order by seq limit ${limit}::int`

/** The events of one ticket between two numbers. */
export const listEventsOfTicket = (
  sql: Sql,
  projectId: string,
  ticketId: string,
  { from, to }: { from: number; to: number },
) => sql<FollowedEvent[]>`
  select ${columns(sql)} from events
  where project_id = ${projectId} and seq between ${from} and ${to} and data->>'ticket_id' = ${ticketId} order by seq`

/** The tickets that the reader leaves out. */
export async function listSetAside(sql: Sql, projectId: string, reader: string): Promise<Set<string>> {
  const rows = await sql<{ ticket_id: string }[]>`
    select ticket_id from log_failures
    where project_id = ${projectId} and reader = ${reader} and failures >= ${maxTicketFailures}::int`
  return new Set(rows.map(row => row.ticket_id))
}

export interface TicketFailure {
  ticket_id: string
  seq: number
  error: string
}

export const insertFailure = (sql: Sql, projectId: string, reader: string, failure: TicketFailure) => sql`
  insert into log_failures as f (project_id, reader, ticket_id, seq, failures, error)
  values (${projectId}, ${reader}, ${failure.ticket_id}, ${failure.seq}, 1, ${failure.error})
  on conflict (project_id, reader, ticket_id) do update set failures = f.failures + 1, error = excluded.error,
    failed_at = excluded.failed_at`

export const deleteFailure = (sql: Sql, projectId: string, reader: string, ticketId: string) => sql`
  delete from log_failures where project_id = ${projectId} and reader = ${reader} and ticket_id = ${ticketId}`

/** Tickets that were set aside an hour ago or longer, of all projects. */
export const listOldFailures = (db: Db, reader: string) => db<
  { project_id: string; ticket_id: string; seq: number }[]
>`
  select project_id, ticket_id, seq from log_failures
  where reader = ${reader} and failures >= ${maxTicketFailures}::int and failed_at < now() - interval '1 hour'
  order by failed_at limit 100`

/** Projects with events that the reader has not read. */
export const unreadProjectsOf = (sql: Sql, reader: string): Fragment =>
  sql`
  select c.project_id, now() as due_at from project_counters c
    left join log_cursors l on l.project_id = c.project_id and l.reader = ${reader}
  where (newest_event(c.project_id)).seq > coalesce(l.seq, 0)`

export interface ReaderLag {
  reader: string
  /** How many events it has not read, and the age of the oldest in seconds. */
  events: number
  seconds: number
  /** The tickets that it has set aside. */
  set_aside: number
}

/** How far these readers are behind, in the whole installation. */
export const listReaderLags = (db: Db, readers: string[]) => db<ReaderLag[]>`
  select r.reader, coalesce(u.events, 0)::float8 as events, coalesce(u.seconds, 0)::float8 as seconds,
    (select count(*)::int from log_failures f where f.reader = r.reader and f.failures >= ${maxTicketFailures}::int) as set_aside
  from unnest(${readers}::text[]) as r (reader) cross join lateral (
    select sum(${newestSeqOf(db, db`c.project_id`)} - oldest.seq + 1) as events,
      max(extract(epoch from now() - oldest.created_at)) as seconds
    from project_counters c
      left join log_cursors l on l.project_id = c.project_id and l.reader = r.reader
      cross join lateral (
        select e.seq, e.created_at from events e
        where e.project_id = c.project_id and e.seq > coalesce(l.seq, 0) order by e.seq limit 1
      ) oldest
  ) u`

/** The first tickets that readers have set aside, of all projects. */
export const listTicketsSetAside = (db: Db) => db<
  { reader: string; project: string; ticket_id: string; error: string }[]
>`
  select f.reader, p.name as project, f.ticket_id, f.error
  from log_failures f join projects p on p.id = f.project_id
  where f.project_id = p.id and f.failures >= ${maxTicketFailures}::int order by f.failed_at limit 20`
