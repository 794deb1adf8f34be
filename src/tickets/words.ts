import { type Fragment, planned, type Sql } from '../core/db.ts'
import { type Found, type ListQuery, orderBy, type Rows } from '../core/paging.ts'
import { countInTime, findInTime } from '../core/patience.ts'
import { guessMessagesPerTicket, guessRows, guessTickets } from './guess.ts'
import { countTickets, findTicketIds, type Selection } from './queries.ts'

/**
 * Searching words in subjects and messages. The messages that have a rare word are all read. For a common one tickets are
 * walked in the list's order and asked, thousands at a time, until the page is full. Which is cheaper is guessed from
 * the planner's statistics; a walk that was guessed too short is made once more, farther.
 */

/** Microseconds, measured with 1,000,000 tickets and 5,000,000 messages in memory (bench/growth). */
const costOfAsking = 5
const costOfReading = 6
/** A message's entry in the index of words, which a walk reads too. */
const costOfEntry = 0.1

/** Messages that are read, or tickets that are asked, for each that is wanted: their number is a guess. */
const spare = 1.2
const leastSteps = 200

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

/** The table `found`: those of the table `walked` that have the words. */
const matchesIn = ({ sql, projectId, words }: Search): Fragment =>
  sql`tickets_with_words(${projectId}, ${words}, array(select id from walked)) as found (id)` as Fragment

/** Whether asking so many tickets takes less than reading every match. */
const isWalkable = ({ guess }: Search, steps: number): boolean =>
  steps * costOfAsking + guess.messages * costOfEntry < guess.messages * costOfReading

const stepsTo = ({ guess }: Search, wanted: number): number =>
  Math.ceil((wanted / guess.share) * spare) + leastSteps

/** The lengths of walks that are worth it. */
const walksOf = (search: Search, steps: number): number[] =>
  [steps, 16 * steps].filter(length => isWalkable(search, length))

/** The matches among the first `steps` tickets of the order, and whether that were all. */
async function walk(search: Search, condition: Fragment, { limit, offset }: Rows, steps: number) {
  const { sql, selection } = search
  const { from, where, sort } = selection
  const order = orderBy(sql, { ...sort, column: sql`sort_value` as Fragment, id: sql`id` as Fragment })
  const rows = await planned(sql<(Found & { walked: number })[]>`
    with walked as materialized (
      select ${sort.id} as id, ${sort.column} as sort_value from ${from} where ${where} and ${condition}
      ${orderBy(sql, sort)} limit ${steps}
    ), page as (
      select * from walked where id in (select id from ${matchesIn(search)}) ${order} limit ${limit} offset ${offset}
    ) select page.*, n.walked from (select count(*)::int as walked from walked) n left join page on true ${order}`)
  const found: Found[] = rows.filter(row => row.id !== null)
  return { found, isAll: rows[0]!.walked < steps }
}

async function find(
  search: Search,
  condition: Fragment,
  ordering: Fragment,
  rows: Rows,
): Promise<readonly Found[]> {
  const { sql, selection } = search
  for (const steps of walksOf(search, stepsTo(search, rows.limit + rows.offset))) {
    const { found, isAll } = await walk(search, condition, rows, steps)
    if (found.length === rows.limit || isAll) return found
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

/** The newest ones: most filters leave many of them, and their messages lie beside each other in the index. */
async function countWalk(search: Search, steps: number) {
  const { sql, selection } = search
  const [row] = await planned(sql<{ walked: number; found: number }[]>`
    with walked as materialized (
      select ${selection.countId} as id from ${selection.countFrom} where ${selection.countWhere}
      order by ${selection.countId} desc limit ${steps})
    select (select count(*)::int from walked) as walked, (select count(*)::int from ${matchesIn(search)}) as found`)
  return row!
}

/** Mostly it is enough to see that there are more than are ever counted, for which some of the messages do. */
async function count(search: Search, limit: number): Promise<number> {
  const { sql, projectId, selection, guess } = search
  const [filtered, tickets] = await Promise.all([
    guessRows(sql, selection.countFrom, selection.countWhere),
    guessTickets(sql, projectId),
  ])
  const steps = Math.min(stepsTo(search, limit), Math.ceil(filtered * spare) + leastSteps)
  const walking = steps * costOfAsking + guess.messages * costOfEntry
  let some = Math.ceil(limit * spare * Math.max(tickets / filtered, 1))
  for (; some * costOfReading < Math.min(walking, guess.messages * costOfReading); some *= 4) {
    const least = await countIn(search, someMatches(search, some), limit)
    if (least === limit) return least
  }
  for (const length of walksOf(search, steps)) {
    const { found, walked } = await countWalk(search, length)
    if (found >= limit || walked < length) return Math.min(found, limit)
  }
  return countIn(search, everyMatch(search), limit)
}

/** How a list that is searched for words finds its pages and counts itself: in time, or not at all. */
export async function searchWords(
  sql: Sql,
  projectId: string,
  q: string,
  selection: Selection,
): Promise<Pick<ListQuery<unknown>, 'find' | 'count'>> {
  const words = sql`plainto_tsquery('simple', ${q})` as Fragment
  const search = { sql, projectId, words, selection, guess: await guessMatches(sql, words) }
  return {
    find: (condition, ordering, rows) =>
      findInTime(sql, 'q', own => find({ ...search, sql: own }, condition, ordering, rows)),
    count: limit => countInTime(sql, own => count({ ...search, sql: own }, limit)),
  }
}
