import type { Db, Fragment, Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import type { NewEvent } from './catalogue.ts'
import type { TouchedRecords } from './stamps.ts'
import { type HistoryRow, insertHistoryCte } from './ticket-history.ts'

/** An event with the id under which it is stored. */
export type LoggedEvent = NewEvent & { id: string }

export const withEventId = (event: NewEvent): LoggedEvent => ({ ...event, id: newId() })

/** What is written together with events. */
export interface PlannedFanOut {
  /** CTEs that write rows for readers of the log from `event`, the rows just inserted, and a value for `keep`. */
  print(sql: Sql): { ctes: Fragment; value: Fragment }
  /** Gets the value when the statement has run. */
  keep(value: unknown): void
  /** Called once, at the end of the transaction. Returns whether this process already sends all deliveries. */
  end(isCommitted: boolean): boolean
}

export type FanOut = (projectId: string, events: readonly LoggedEvent[]) => PlannedFanOut

/**
 * Functions of higher ranks that a transaction calls. The application sets them on the pool. A domain adds its own through declaration
 * merging.
 */
export interface Hooks {
  /** Undefined in programs that write no events. */
  fanOut?: FanOut
}

/** A pool with its hooks, which its transactions pass on. */
export type Store = Db & { hooks?: Hooks }

/** Adds hooks to a pool. */
export const withHooks = (db: Store, hooks: Hooks): Store =>
  Object.assign(db, { hooks: { ...db.hooks, ...hooks } })

/**
 * CTEs that lock the project's counter if `happened` (a query) has a row, and read the time of the change under that lock. The lock
 * is held until the commit, so later times become visible later, and a list that is read by time misses nothing: decision 41. A
 * process whose clock has just been set forward does not take a future time, because all later changes would have to follow it.
 * The newest event is read after the lock is taken.
 */
const lockAndStampCtes = (sql: Sql, projectId: string, eventCount: number, happened: Fragment): Fragment =>
  sql`
    counter as (
      select project_id, event_seq, event_at from project_counters
      where project_id = ${projectId} and exists (${happened}) for no key update
    ), before as materialized (
      select greatest(event_seq, seq) as base,
        greatest(event_at, at, least(${toDatabase(now())}::timestamptz, clock_timestamp() + interval '2 seconds')
          - ${eventCount}::int * interval '1 microsecond') as base_at
      from counter, newest_event(project_id)
    ), stamp as (select base, base_at, base_at + ${eventCount}::int * interval '1 microsecond' as at from before)`

/** The parts of a statement that writes events: its CTEs, and a column whose value goes to `planned.keep`. */
export interface WritingEvents {
  ctes: Fragment
  value: Fragment
  planned: PlannedFanOut
}

/**
 * The end of every statement that changes something: CTEs that lock the project's counter and write the events and their
 * deliveries, if and only if `happened` (a query) has a row. The lock is held until the commit, so numbers have no gaps and
 * become visible in order. Times increase with the numbers, and the last one is the time of the change. The counter itself is
 * updated only when old events are deleted: see migration 21.
 */
export function writeEvents(
  sql: Sql & Pick<Store, 'hooks'>,
  projectId: string,
  events: LoggedEvent[],
  happened: Fragment,
): WritingEvents {
  // Without this, deliveries would be lost silently.
  const fanOut = sql.hooks?.fanOut
  if (!fanOut) throw new Error('Events are written only through a pool with a fan-out; see withHooks')
  const planned = fanOut(projectId, events)
  const fanned = planned.print(sql)
  const ids = events.map(event => event.id)
  const types = events.map(event => event.type)
  const data = events.map(event => JSON.stringify(event.data))
  const ctes = sql`
    ${lockAndStampCtes(sql, projectId, events.length, happened)}, event as (
      insert into events (project_id, seq, id, type, data, created_at)
      select ${projectId}::uuid, base + n, id, type, data::json, base_at + n * interval '1 microsecond'
      from stamp, unnest(${ids}::uuid[], ${types}::text[], ${data}::text[])
        with ordinality as e (id, type, data, n)
      returning project_id, seq, id, type, created_at
    ), ${fanned.ctes}`
  return { ctes, value: fanned.value, planned }
}

/** CTEs that only read the time, as `stamp.at`. The statement that uses them must also write it to the counter's `event_at`. */
export const lockEventTime = (sql: Sql, projectId: string): Fragment =>
  lockAndStampCtes(sql, projectId, 1, sql`select`)

/** Like `writeEvents`, for a change without an event. */
const writeTime = (sql: Sql, projectId: string): Fragment =>
  sql`
    ${lockEventTime(sql, projectId)}, kept as (
      update project_counters c set event_at = stamp.at from stamp where c.project_id = ${projectId}
    )`

/**
 * Takes the time of a change before its end, for statements that write the time to many records at once. After this, the change may
 * lock only rows that it has already locked.
 */
export async function takeEventTime(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ at: string }[]>`with ${writeTime(sql, projectId)} select at from stamp`
  return toDatabase(row!.at)
}

/** How many events and records one statement writes. With more, it could reach the statement timeout. */
const maxRowsPerStatement = 2_000

/** Writes the events of a change, its time to the records that it touched, and what it changed in tickets. */
export function writeLog(
  sql: Sql & Pick<Store, 'hooks'>,
  projectId: string,
  events: LoggedEvent[],
  touched: TouchedRecords,
  history: HistoryRow[],
): Promise<unknown>[] {
  const statements: Promise<unknown>[] = []
  const count = Math.max(events.length, touched.size, history.length)
  for (let from = 0; from < count; from += maxRowsPerStatement) {
    const to = from + maxRowsPerStatement
    const some = events.slice(from, to)
    const stamps = sql`${touched.print(sql, projectId, from, to)}${insertHistoryCte(sql, projectId, history.slice(from, to))}`
    statements.push(
      some.length
        ? writeSome(sql, writeEvents(sql, projectId, some, sql`select`), stamps)
        : sql`with ${writeTime(sql, projectId)}${stamps} select from stamp`,
    )
  }
  return statements
}

async function writeSome(sql: Sql, { ctes, value, planned }: WritingEvents, stamps: Fragment): Promise<void> {
  const [row] = await sql<{ fanned_out: unknown }[]>`
    with ${ctes}${stamps} select ${value} as fanned_out from stamp`
  planned.keep(row?.fanned_out)
}

/** The number of the newest event of the project, whose row is `project_counters c`, or of the last one that retention deleted. */
export const newestSeqOf = (sql: Sql, project: Fragment): Fragment =>
  sql`
  greatest(c.event_seq, (select seq from events where project_id = ${project} order by seq desc limit 1))`
