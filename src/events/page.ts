import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import type { EventRow } from './envelope.ts'
import { type AnswerRow, listAnswers, reach } from './queries.ts'

/** What a reader asks of the log. */
export interface Question {
  projectId: string
  /** Null means from now on. */
  after: number | null
  limit: number
  /** Names of events with commas between; null means all. */
  types: string | null
}

/** What the log answers. */
export interface Part {
  items: (EventRow & { seq: number })[]
  last_seq: number
  oldest_seq: number
  newest_seq: number
  has_more: boolean
  /** Whether events after the cursor are no longer kept. */
  gap: boolean
}

/** The body of an answer. */
export type Print = (part: Part, question: Question) => string

export interface Page {
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

export type Read = (question: Question) => Promise<Page>

/** Equal for equal questions. */
export const nameOf = ({ projectId, after, limit, types }: Question): string =>
  `${projectId} ${after} ${limit} ${types}`

/** Questions of one moment go to the database together, equal ones as one. */
export const createReader = (db: Db, print: Print): Read =>
  createBatch(
    async (questions: Question[]) => {
      const rows = Map.groupBy(await listAnswers(db, questions), row => row.n)
      const pages = new Map(
        questions.map((question, at) => [question, makePage(question, rows.get(at + 1)!, print)]),
      )
      return question => pages.get(question)!
    },
    { nameOf, most },
  )

/** Together with the size of a page this bounds what one reading brings into memory. */
const most = 20

function makePage(question: Question, rows: AnswerRow[], print: Print): Page {
  const { newest_seq, oldest_seq, start } = rows[0]!
  const items = rows.filter(row => row.seq !== null) as Part['items']
  const isCut = items.length === question.limit || items.length < (rows[0]!.found ?? 0)
  const last_seq = isCut ? items.at(-1)!.seq : Math.min(start + reach, newest_seq)
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
