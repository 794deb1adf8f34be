import { createProjectBatch } from '../core/db/batch.ts'
import type { Db } from '../core/db/db.ts'
import type { EventRow } from './envelope.ts'
import { type LogSliceRow, listLogSlices, maxScannedEvents } from './queries.ts'

/** A query to the log. */
export interface LogQuery {
  projectId: string
  /** Null means from now on. */
  after: number | null
  limit: number
  /** Event names separated by commas; null means all. */
  types: string | null
}

/** The result of a query. */
export interface LogSlice {
  items: (EventRow & { seq: number })[]
  last_seq: number
  oldest_seq: number
  newest_seq: number
  has_more: boolean
  /** Whether events after the cursor have already been deleted. */
  gap: boolean
}

/** Prints the body of a response. */
export type PrintSlice = (part: LogSlice, query: LogQuery) => string

export interface LogPage {
  /** The position from which the next query continues. */
  last_seq: number
  /** The end of the log at the time of the query. */
  newest_seq: number
  has_more: boolean
  /** Whether there is something to send immediately: events, a gap, or more to read. */
  hasEvents: boolean
  /** Whether the query asked for a position beyond the end of the log. */
  isAhead: boolean
  /** The body of the response, printed once for all equal queries. */
  text: string
}

export type ReadLog = (query: LogQuery) => Promise<LogPage>

/** A key that is equal for equal queries. */
export const keyOfQuery = ({ projectId, after, limit, types }: LogQuery): string =>
  `${projectId} ${after} ${limit} ${types}`

/** Sends concurrent queries of a project to the database together, and equal ones only once. */
export const createLogReader = (db: Db, print: PrintSlice): ReadLog =>
  createProjectBatch(
    async (projectId, queries: LogQuery[]) => {
      const rows = Map.groupBy(await listLogSlices(db, projectId, queries), row => row.n)
      const pages = new Map(queries.map((query, at) => [query, makePage(query, rows.get(at + 1)!, print)]))
      return query => pages.get(query)!
    },
    ({ projectId }) => projectId,
    { nameOf: keyOfQuery, maxKeys: maxQueriesPerRead },
  )

/** Together with the page size, this bounds how much one read loads into memory. */
const maxQueriesPerRead = 20

function makePage(query: LogQuery, rows: LogSliceRow[], print: PrintSlice): LogPage {
  const { newest_seq, oldest_seq, start } = rows[0]!
  const items = rows.filter((row): row is LogSliceRow & { seq: number } => row.seq !== null)
  const isCut = items.length === query.limit || items.length < (rows[0]!.found ?? 0)
  const last_seq = isCut ? items.at(-1)!.seq : Math.min(start + maxScannedEvents, newest_seq)
  const has_more = last_seq < newest_seq
  const gap = query.after !== null && query.after < start
  return {
    last_seq,
    newest_seq,
    has_more,
    hasEvents: items.length > 0 || has_more || gap,
    isAhead: (query.after ?? 0) > newest_seq,
    text: print({ items, last_seq, oldest_seq, newest_seq, has_more, gap }, query),
  }
}
