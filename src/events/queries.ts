import type { Sql } from '../core/db/db.ts'
import type { EventRow } from './envelope.ts'
import { newestSeqOf } from './log.ts'
import type { LogQuery } from './log-page.ts'

/** An event in the result of a query. If there is none, a single row contains the state of the log. */
export interface LogSliceRow extends EventRow {
  /** The query to which this belongs, counted from 1. */
  n: number
  newest_seq: number
  oldest_seq: number
  /** The number after which the query started. */
  start: number
  seq: number | null
  /** How many events match the query, including those that do not fit into the page. */
  found: number
}

/** Bytes of events after which a page ends. It always contains at least one event. */
export const maxPageBytes = 1_000_000

/** How many events one query reads, so that a filter that matches nothing does not read the whole log at once. */
export const maxScannedEvents = 5_000

/**
 * Answers several queries of a project from one snapshot, so that the bounds of a log and its events are consistent. The
 * arrays are in sub-selects so that the plan is kept (see `anyId`): planning took five times as long as running.
 */
export const listLogSlices = (sql: Sql, projectId: string, queries: LogQuery[]) => sql<LogSliceRow[]>`
  select q.n, w.newest_seq, o.oldest_seq, s.start, e.*
  from unnest((select ${queries.map(({ after }) => after)}::bigint[]),
      (select ${queries.map(({ limit }) => limit)}::int[]),
      (select ${queries.map(({ types }) => types)}::text[])) with ordinality as q (after, most, types, n)
    join project_counters c on c.project_id = ${projectId}
    cross join lateral (select ${newestSeqOf(sql, sql`${projectId}`)} as newest_seq) w
    cross join lateral (
      select coalesce((select seq from events where project_id = ${projectId} order by seq limit 1),
        w.newest_seq + 1) as oldest_seq
    ) o
    cross join lateral (select greatest(coalesce(q.after, w.newest_seq), o.oldest_seq - 1) as start) s
    left join lateral (
      select seq, id, type, data, created_at, found from (
        select *, count(*) over () as found, sum(octet_length(data)) over (order by seq) - octet_length(data) as before
        from (
          select seq, id, type, data::text as data, created_at from events
          where project_id = ${projectId} and seq > s.start and seq <= s.start + ${maxScannedEvents}::int
            and (q.types is null or type = any(string_to_array(q.types, ',')))
          order by seq limit q.most
        ) fitting
      ) counted where before < ${maxPageBytes}::int
    ) e on true
  order by q.n, e.seq`

/** The projects whose log has events after these numbers. */
export const listChangedProjects = (sql: Sql, seen: Map<string, number>) => sql<{ project_id: string }[]>`
  select project_id
  from unnest(${[...seen.keys()]}::uuid[], ${[...seen.values()]}::bigint[]) as s (project_id, seq)
  where exists (select from events e where e.project_id = s.project_id and e.seq > s.seq)`
