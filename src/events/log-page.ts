import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import type { EventRow } from './envelope.ts'
import { type LogSliceRow, listLogSlices, maxScannedEvents } from './queries.ts'

/** What a reader asks of the log. */
export interface LogQuery {
  projectId: string
  /** Null means from now on. */
  after: number | null
  limit: number
  /** Names of events with commas between; null means all. */
  types: string | null
}

/** What the log answers. */
export interface LogSlice {
  items: (EventRow & { seq: number })[]
  last_seq: number
  oldest_seq: number
  newest_seq: number
  has_more: boolean
  /** Whether events after the cursor are no longer kept. */
  gap: boolean
}

/** The body of an answer. */
export type PrintSlice = (part: LogSlice, question: LogQuery) => string

export interface LogPage {
  /** Where the next question goes on. */
  last_seq: number
  /** Where the log ended. */
  newest_seq: number
  has_more: boolean
  /** Whether there is something to tell at once. */
  isNews: boolean
  /** Whether the question asked for what has not happened yet. */
  isAhead: boolean
  /** The body of the answer, printed once for all who asked the same. */
  text: string
}

export type ReadLog = (question: LogQuery) => Promise<LogPage>

/** Equal for equal questions. */
export const keyOfQuestion = ({ projectId, after, limit, types }: LogQuery): string =>
  `${projectId} ${after} ${limit} ${types}`

/** Questions of one moment go to the database together, equal ones as one. */
export const createLogReader = (db: Db, print: PrintSlice): ReadLog =>
  createBatch(
    async (questions: LogQuery[]) => {
      const rows = Map.groupBy(await listLogSlices(db, questions), row => row.n)
      const pages = new Map(
        questions.map((question, at) => [question, makePage(question, rows.get(at + 1)!, print)]),
      )
      return question => pages.get(question)!
    },
    { nameOf: keyOfQuestion, most: maxQueriesPerRead },
  )

/** Together with the size of a page this bounds what one reading brings into memory. */
const maxQueriesPerRead = 20

function makePage(question: LogQuery, rows: LogSliceRow[], print: PrintSlice): LogPage {
  const { newest_seq, oldest_seq, start } = rows[0]!
  const items = rows.filter(row => row.seq !== null) as LogSlice['items']
  const isCut = items.length === question.limit || items.length < (rows[0]!.found ?? 0)
  const last_seq = isCut ? items.at(-1)!.seq : Math.min(start + maxScannedEvents, newest_seq)
  const has_more = last_seq < newest_seq
  const gap = question.after !== null && question.after < start
  return {
    last_seq,
    newest_seq,
    has_more,
    isNews: items.length > 0 || has_more || gap,
    isAhead: (question.after ?? 0) > newest_seq,
    text: print({ items, last_seq, oldest_seq, newest_seq, has_more, gap }, question),
  }
}
