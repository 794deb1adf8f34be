import { isOneOf } from '../../core/objects.ts'
import { parseTime } from '../../core/time.ts'
import { type Piece, readPieces, toPlain } from '../../core/words/pieces.ts'
import type { TicketSearch } from '../schema.ts'
import { priorities, ticketStatuses } from '../status.ts'

/** Parses `q` of a list of tickets: words, and operators such as `status:open`. */

const states = ['unassigned', 'assigned', 'snoozed', 'spam', 'merged']
/** States that refer to the current operator. */
const personalStates = ['mine', 'unread']

/** The values that a piece gives to its operator; null if the operator does not accept them. */
type Read = (piece: Piece, isPerson: boolean) => string[] | null

const readWords = ({ text, isPhrase }: Piece): string[] | null => {
  const words = isPhrase ? [text] : text.split(',').filter(Boolean)
  return words.length ? words : null
}

const readLowerCase = (piece: Piece): string[] | null =>
  readWords({ ...piece, text: piece.text.toLowerCase() })

const readAmong = (known: readonly string[]) => (piece: Piece) => {
  const words = readLowerCase(piece)
  return words?.every(word => known.includes(word)) ? words : null
}

const readState: Read = ({ text }, isPerson) => {
  const state = text.toLowerCase()
  return states.includes(state) || (isPerson && personalStates.includes(state)) ? [state] : null
}

const readContact = ({ text }: Piece) => (/[\p{L}\p{N}]/u.test(text) ? [text] : null)

/** A year or a month means its first day. */
const readTime = ({ text }: Piece) => {
  const missing = /^\d{4}$/.test(text) ? '-01-01' : /^\d{4}-\d{2}$/.test(text) ? '-01' : ''
  const time = parseTime(text + missing)
  return time === null ? null : [time]
}

const files = ['file', 'files', 'attachment', 'attachments']

const readFile = ({ text }: Piece) => (files.includes(text.toLowerCase()) ? ['file'] : null)

const readers = {
  status: readAmong(ticketStatuses),
  priority: readAmong(priorities),
  channel: readLowerCase,
  tag: readWords,
  is: readState,
  from: readContact,
  before: readTime,
  after: readTime,
  has: readFile,
} satisfies Record<string, Read>
export type SearchOperatorName = keyof typeof readers

export interface SearchOperator {
  name: SearchOperatorName
  /** At least one value. Any of them may match. */
  values: string[]
  isExcluded: boolean
}

export interface TicketQuestion {
  words: Piece[]
  excluded: Piece[]
  operators: SearchOperator[]
  /** The number in `#12`. Its piece is among the words too. */
  number: number | null
}

const isOperator = (name: string | null): name is SearchOperatorName =>
  name !== null && Object.hasOwn(readers, name)

function readOperator(piece: Piece, isPerson: boolean): SearchOperator | null {
  const { name, text, isExcluded } = piece
  if (!isOperator(name)) return null
  // `is:open` is another way to write `status:open`.
  const known = name === 'is' && isOneOf(text.toLowerCase(), ticketStatuses) ? 'status' : name
  const values = readers[known](piece, isPerson)
  return values && { name: known, values, isExcluded }
}

const numberOf = ({ text, isPhrase }: Piece): number | null =>
  !isPhrase && /^#[1-9][0-9]{0,14}$/.test(text) ? Number(text.slice(1)) : null

/** Each operator adds a condition to the statement. */
const maxOperators = 20

/**
 * `isPerson` says whether an operator searches, for whom `is:mine` is valid. Invalid operators and those after the first 20 are
 * plain text.
 */
export function readQuestion(q: string, isPerson = false): TicketQuestion {
  const question: TicketQuestion = { words: [], excluded: [], operators: [], number: null }
  for (const piece of readPieces(q)) {
    const operator = readOperator(piece, isPerson)
    if (operator && question.operators.length < maxOperators) question.operators.push(operator)
    else if (piece.isExcluded) question.excluded.push(toPlain(piece))
    else question.words.push(toPlain(piece))
  }
  question.number = question.words.map(numberOf).find(number => number !== null) ?? null
  return question
}

/** Null for a list without `q`. */
export const questionOf = ({ q, viewer_id }: TicketSearch): TicketQuestion | null =>
  q === undefined ? null : readQuestion(q, viewer_id !== undefined)

/** Whether words are searched. A text without any pieces is a search that finds nothing. */
export const asksWords = ({ words, excluded, operators }: TicketQuestion): boolean =>
  words.length > 0 || excluded.length + operators.length === 0

/** Whether messages or contacts may have to be read for each ticket of a list. */
export const isCostlyQuestion = (question: TicketQuestion): boolean =>
  asksWords(question) ||
  question.excluded.length > 0 ||
  question.operators.some(({ name }) => name === 'from' || name === 'has')
