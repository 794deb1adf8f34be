import type { Fragment, Sql } from '../../core/db/db.ts'
import { guessAll, guessRows, guessTickets } from './guess.ts'
import type { Selection } from './selection.ts'

/** Finds the tickets with some words, and estimates how many there are. */

interface Guess {
  /** Messages of all projects that have the words. */
  messages: number
  /** Tickets that the list would have without the words. */
  listed: number
  /** Tickets of all projects. */
  tickets: number
  /** The share of tickets that have the words, between 0 and 1. */
  share: number
}

/** A search for words among the tickets of a list. */
export interface TextSearch {
  sql: Sql
  projectId: string
  words: Fragment
  selection: Selection
  guess: Guess
  /** Whether the search includes more than the words that were typed. */
  isWide: boolean
  /** Called between two statements. */
  goOn(): Promise<unknown>
}

export async function guess(
  sql: Sql,
  projectId: string,
  words: Fragment,
  { countFrom, countWhere, isWhole }: Selection,
): Promise<Guess> {
  const [messages, listed, all] = await Promise.all([
    guessRows(sql, sql`messages`, sql`search @@ ${words}`),
    isWhole ? guessTickets(sql, projectId) : guessRows(sql, countFrom, countWhere),
    guessAll(sql),
  ])
  const share = 1 - (1 - Math.min(messages / all.messages, 1)) ** (all.messages / all.tickets)
  return { messages, listed, tickets: all.tickets, share: Math.max(share, 1e-9) }
}

/** The table `found`: every ticket that has the words. */
export const everyMatch = ({ sql, projectId, words }: TextSearch): Fragment =>
  sql`(
    select ticket_id as id from messages where project_id = ${projectId} and search @@ ${words}
    union select id from tickets where project_id = ${projectId} and search @@ ${words} offset 0
  ) found`

/** The table `found`: the tickets of the first messages that have the words. */
export const someMatches = ({ sql, projectId, words }: TextSearch, messages: number): Fragment =>
  sql`(
    select distinct ticket_id as id from (
      select ticket_id from messages where project_id = ${projectId} and search @@ ${words} limit ${messages}) m offset 0
  ) found`

/** The table `found`: the tickets of the table `walked` that have the words. */
export const matchesIn = ({ sql, projectId, words }: TextSearch): Fragment =>
  sql`tickets_with_words(${projectId}, ${words}, array(select id from walked)) as found (id)`
