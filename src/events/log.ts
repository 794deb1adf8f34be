import type { Fragment, Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import type { NewEvent } from './catalogue.ts'

/** CTEs that write the rows that readers of the log need, made of `event`, the rows just written. Handed in by app.ts. */
export type FanOut = (sql: Sql) => Fragment

// Forgetting to hand it in would lose deliveries without a word.
let fanOut: FanOut = () => {
  throw new Error('Nobody has handed in the fan-out to webhooks; see app.ts')
}

export const setFanOut = (reader: FanOut): void => {
  fanOut = reader
}

/**
 * The tail of every statement that changes something: CTEs that lock the project's counter, write the events and
 * their deliveries, if and only if `happened` (a query) has a row. Numbers are gapless and become visible in order
 * because the counter's lock is held from here to the commit; times rise with the numbers. A process whose clock was just
 * put forward writes no time of the future, after which all others would have to write the same. The newest event is looked for
 * when the lock is taken. The counter itself is not changed but for what retention takes away: see migration 21.
 */
export function writeEvents(sql: Sql, projectId: string, events: NewEvent[], happened: Fragment): Fragment {
  const ids = events.map(newId)
  const types = events.map(event => event.type)
  const data = events.map(event => JSON.stringify(event.data))
  return sql`
    counter as (
      select project_id, event_seq, event_at from project_counters
      where project_id = ${projectId} and exists (${happened}) for no key update
    ), before as materialized (
      select greatest(event_seq, seq) as base,
        greatest(event_at, at, least(${toDatabase(now())}::timestamptz, clock_timestamp() + interval '2 seconds')
          - ${events.length}::int * interval '1 microsecond') as base_at
      from counter, newest_event(project_id)
    ), event as (
      insert into events (project_id, seq, id, type, data, created_at)
      select ${projectId}::uuid, base + n, id, type, data::json, base_at + n * interval '1 microsecond'
      from before, unnest(${ids as never}::uuid[], ${types as never}::text[], ${data as never}::text[])
        with ordinality as e (id, type, data, n)
      returning project_id, seq, id, type, created_at
    ), ${fanOut(sql)}` as Fragment
}

/** The number of the newest event of `project_counters c`, or of the last one that retention took away. */
export const newestSeq = (sql: Sql): Fragment =>
  sql`
  greatest(c.event_seq, (select seq from events where project_id = c.project_id order by seq desc limit 1))` as Fragment
