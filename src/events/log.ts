import type { Fragment, Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import type { NewEvent } from './catalogue.ts'

/** Adds the rows that readers of the log need to `event`, the rows just written. Handed in by app.ts. */
export type FanOut = (sql: Sql) => Fragment

// Forgetting to hand it in would lose deliveries without a word.
let fanOut: FanOut = () => {
  throw new Error('Nobody has handed in the fan-out to webhooks; see app.ts')
}

export const setFanOut = (reader: FanOut): void => {
  fanOut = reader
}

/**
 * The tail of every statement that changes something: CTEs that take the project's counter, write the events and
 * their deliveries, if and only if `happened` (a query) has a row. Numbers are gapless and become visible in order
 * because the counter's lock is held from here to the commit; times rise with the numbers.
 */
export function writeEvents(sql: Sql, projectId: string, events: NewEvent[], happened: Fragment): Fragment {
  const ids = events.map(newId)
  const types = events.map(event => event.type)
  const data = events.map(event => JSON.stringify(event.data))
  return sql`
    counter as (
      update project_counters set
        event_seq = event_seq + ${events.length}::int,
        event_at = greatest(event_at + ${events.length}::int * interval '1 microsecond', ${toDatabase(now())}::timestamptz)
      where project_id = ${projectId} and exists (${happened})
      returning event_seq - ${events.length}::int as base,
        event_at - ${events.length}::int * interval '1 microsecond' as base_at
    ), event as (
      insert into events (project_id, seq, id, type, data, created_at)
      select ${projectId}::uuid, base + n, id, type, data::json, base_at + n * interval '1 microsecond'
      from counter, unnest(${ids as never}::uuid[], ${types as never}::text[], ${data as never}::text[])
        with ordinality as e (id, type, data, n)
      returning project_id, seq, id, type, created_at
    ), reader as (${fanOut(sql)})` as Fragment
}
