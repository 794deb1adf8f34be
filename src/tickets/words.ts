import { type Fragment, planned, type Sql } from '../core/db.ts'
import { type Found, type ListQuery, orderBy, type Rows } from '../core/paging.ts'
import { guessMessagesPerTicket, guessRows, guessTickets } from './guess.ts'
import { countTickets, findTicketIds, type Selection } from './queries.ts'

/**
 * Searching words in subjects and messages. Rare words are read from the index, all their messages at once; for common
 * ones the tickets are walked in the list's order and each is asked, until the page is full. Which is cheaper is guessed
 * from the planner's statistics; a walk that was guessed wrong ends, and the index answers.
 */

/** Microseconds, measured with 1,000,000 tickets and 5,000,000 messages in memory (bench/growth). */
const costOfAsking = 30
const costOfReading = 6

/** Messages that are read for each ticket that is counted: some are of one ticket. */
const spare = 1.2

interface Guess {
  /** Messages that hold the words. */
  messages: number
  /** The share of tickets that have one of them. */
  share: number
}

interface Search {
  sql: Sql
  projectId: string
  words: Fragment
  selection: Selection
  guess: Guess
}

async function guessMatches(sql: Sql, words: Fragment): Promise<Guess> {
  const [messages, total] = await Promise.all([
    guessRows(sql, sql`messages` as Fragment, sql`search @@ ${words}` as Fragment),
    guessMessagesPerTicket(sql),
  ])
  const share = Math.min(messages / total.messages, 1)
  return { messages, share: Math.max(1 - (1 - share) ** (total.messages / total.tickets), 1e-9) }
}

/** The table `found`: every ticket that has the words. */
const everyMatch = ({ sql, projectId, words }: Search): Fragment =>
  sql`(
    select ticket_id as id from messages where project_id = ${projectId} and search @@ ${words}
    union select id from tickets where project_id = ${projectId} and search @@ ${words} offset 0
  ) found` as Fragment

/** The table `found`: tickets of the first messages that have the words. */
const someMatches = ({ sql, projectId, words }: Search, messages: number): Fragment =>
  sql`(
    select distinct ticket_id as id from (
      select ticket_id from messages where project_id = ${projectId} and search @@ ${words} limit ${messages}) m offset 0
  ) found` as Fragment

/** Whether the ticket of an id has the words. Not `exists`: the planner would read every match beforehand. */
const hasWords = ({ sql, projectId, words }: Search, id: Fragment): Fragment =>
  sql`coalesce(
    (select true from messages m
      where m.project_id = ${projectId} and m.ticket_id = ${id} and m.search @@ ${words} limit 1),
    (select true from tickets s where s.project_id = ${projectId} and s.id = ${id} and s.search @@ ${words}))` as Fragment

/** Asks the first tickets of the order, `most` at most. */
function walk(search: Search, condition: Fragment, { limit, offset }: Rows, most: number) {
  const { sql, selection } = search
  const { from, where, sort } = selection
  const outer = { ...sort, column: sql`w.sort_value` as Fragment, id: sql`w.id` as Fragment }
  return planned(sql<Found[]>`
    select w.id, w.sort_value from (
      select ${sort.id} as id, ${sort.column} as sort_value from ${from} where ${where} and ${condition}
      ${orderBy(sql, sort)} limit ${most}
    ) w where ${hasWords(search, outer.id)} ${orderBy(sql, outer)} limit ${limit} offset ${offset}`)
}

/** A walk may take three times as long as guessed, and a look-round more, before it is given up. */
const patience = 3
const leastSteps = 200

async function find(
  search: Search,
  condition: Fragment,
  ordering: Fragment,
  rows: Rows,
): Promise<readonly Found[]> {
  const { sql, selection, guess } = search
  const wanted = rows.limit + rows.offset
  const steps = wanted / guess.share
  if (steps * costOfAsking < guess.messages * costOfReading) {
    const found = await walk(search, condition, rows, Math.ceil(steps * patience) + leastSteps)
    if (found.length === rows.limit) return found
  }
  const from = sql`${selection.from}, ${everyMatch(search)}` as Fragment
  const where = sql`${selection.where} and ${selection.sort.id} = found.id and ${condition}` as Fragment
  return findTicketIds(sql, from, where, selection.sort, ordering)
}

const countIn = ({ sql, selection }: Search, found: Fragment, limit: number): Promise<number> =>
  countTickets(
    sql,
    sql`${selection.countFrom}, ${found}` as Fragment,
    sql`${selection.countWhere} and ${selection.countId} = found.id` as Fragment,
    limit,
  )

/** Mostly it is enough to see that there are more than are ever counted, for which some of the messages do. */
async function count(search: Search, limit: number): Promise<number> {
  const { sql, projectId, selection, guess } = search
  const [filtered, tickets] = await Promise.all([
    guessRows(sql, selection.countFrom, selection.countWhere),
    guessTickets(sql, projectId),
  ])
  const asking = Math.min(limit / guess.share, filtered) * costOfAsking
  const reading = guess.messages * costOfReading
  let some = Math.ceil(limit * spare * Math.max(tickets / filtered, 1))
  for (; some * costOfReading < Math.min(asking, reading); some *= 4) {
    const least = await countIn(search, someMatches(search, some), limit)
    if (least === limit) return least
  }
  if (reading < asking) return countIn(search, everyMatch(search), limit)
  const asked = sql`${selection.countWhere} and ${hasWords(search, selection.countId)}` as Fragment
  return countTickets(sql, selection.countFrom, asked, limit)
}

/** How a list that is searched for words finds its pages and counts itself. */
export async function searchWords(
  sql: Sql,
  projectId: string,
  q: string,
  selection: Selection,
): Promise<Pick<ListQuery<unknown>, 'find' | 'count'>> {
  const words = sql`plainto_tsquery('simple', ${q})` as Fragment
  const search = { sql, projectId, words, selection, guess: await guessMatches(sql, words) }
  return {
    find: (condition, ordering, rows) => find(search, condition, ordering, rows),
    count: limit => count(search, limit),
  }
}
