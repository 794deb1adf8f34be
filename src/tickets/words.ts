import { type Fragment, planned, type Sql } from '../core/db.ts'
import { type Found, type ListQuery, orderBy, type Rows } from '../core/paging.ts'
import { countInTime, findInTime } from '../core/patience.ts'
import type { Piece } from '../core/words/pieces.ts'
import { ask, askBoth, type Group, isWide, printQuestion, type Words } from '../words/words.ts'
import { everyMatch, guess, matchesIn, type Search, someMatches } from './matches.ts'
import { countTickets, findTicketIds, type Selection } from './selection.ts'

/**
 * Searching words in subjects and messages. There are two ways, and both find the same: to walk the tickets of the list
 * and ask them, thousands at a time, or to read the messages that have the words and keep the tickets that the list
 * shows. The planner's statistics say which is cheaper. They do not know where in the list a word is common, so what
 * a walk has found says how much farther it would have to go, and whether reading is cheaper after all.
 */

/** Microseconds, measured with 1,000,000 tickets and 5,000,000 messages in memory (bench/growth). */
const cost = {
  asking: 6,
  reading: 2,
  /** A message's entry in the index of words: all are looked at before the first message is read. */
  entry: 0.12,
  /** A ticket of the list, which is compared with those whose messages have been read. */
  listing: 0.2,
}

const fewest = 200
/** What was found in one part need not be found as often in the next. */
const spare = 1.2

const reading = ({ guess }: Search, messages: number): number =>
  guess.messages * cost.entry + messages * cost.reading

const readingAll = (search: Search): number =>
  reading(search, search.guess.messages) + search.guess.listed * cost.listing

/** How many were asked, and how many of them match. */
interface Walk {
  walked: number
  matching: number
}

/** How many have to be asked until so many match, where such a share does: all that are listed, at most. */
const stepsTo = ({ guess }: Search, wanted: number, share: number): number =>
  Math.ceil(spare * Math.min(wanted / share, guess.listed)) + fewest

/** How far to go after what was found: always farther, for what is listed is a guess too. */
const stepsAfter = (search: Search, wanted: number, { walked, matching }: Walk): number =>
  Math.max(stepsTo(search, wanted, Math.max(matching, 0.5) / walked), 2 * walked)

/** The matches among the first `steps` tickets of the order. */
async function walkPage(search: Search, condition: Fragment, { limit, offset }: Rows, steps: number) {
  const { sql, selection } = search
  const { from, where, sort } = selection
  const order = orderBy(sql, { ...sort, column: sql`sort_value` as Fragment, id: sql`id` as Fragment })
  const rows = await planned(sql<(Found & Walk)[]>`
    with walked as materialized (
      select ${sort.id} as id, ${sort.column} as sort_value from ${from} where ${where} and ${condition}
      ${orderBy(sql, sort)} limit ${steps}
    ), matching as materialized (
      select id from ${matchesIn(search)}
    ), page as (
      select * from walked where id in (select id from matching) ${order} limit ${limit} offset ${offset}
    ) select page.*, n.* from (
      select (select count(*)::int from walked) as walked, (select count(*)::int from matching) as matching) n
    left join page on true ${order}`)
  const { walked, matching } = rows[0]!
  return { walked, matching, page: rows.filter(row => row.id !== null) as Found[] }
}

async function find(
  search: Search,
  condition: Fragment,
  ordering: Fragment,
  rows: Rows,
): Promise<readonly Found[]> {
  const { sql, selection, guess } = search
  const wanted = rows.limit + rows.offset
  for (let steps = stepsTo(search, wanted, guess.share); steps * cost.asking < readingAll(search); ) {
    const walk = await walkPage(search, condition, rows, steps)
    if (walk.matching >= wanted || walk.walked < steps) return walk.page
    steps = stepsAfter(search, wanted, walk)
    if (walk.matching === 0 && steps * cost.asking > readingAll(search) / 2) break
    await search.goOn()
  }
  const from = sql`${selection.from}, ${everyMatch(search)}` as Fragment
  const where = sql`${selection.where} and ${selection.sort.id} = found.id and ${condition}` as Fragment
  return findTicketIds(sql, { from, where, sort: selection.sort, isSettled: false }, ordering)
}

/** How many of the found the list shows. One that shows all but spam need not look each of them up. */
function countIn({ sql, projectId, selection }: Search, found: Fragment, limit: number): Promise<number> {
  const { isWhole, countFrom, countWhere, countId } = selection
  const spam = sql`select from tickets s where s.project_id = ${projectId} and s.is_spam and s.id = found.id`
  const those = isWhole
    ? { countFrom: found, countWhere: sql`not exists (${spam})` as Fragment }
    : {
        countFrom: sql`${countFrom}, ${found}` as Fragment,
        countWhere: sql`${countWhere} and ${countId} = found.id` as Fragment,
      }
  return countTickets(sql, { ...those, isSettled: false }, limit)
}

/** Newest first: most filters leave many of those, and their messages lie beside each other in the index. */
async function askNext({ sql, selection, ...search }: Search, last: string | null, steps: number) {
  const { countId, countFrom, countWhere } = selection
  const [row] = await planned(sql<(Walk & { last: string | null })[]>`
    with walked as materialized (
      select ${countId} as id from ${countFrom}
      where ${countWhere} and ${last === null ? sql`true` : sql`${countId} < ${last}`}
      order by ${countId} desc limit ${steps})
    select (select count(*)::int from walked) as walked, (select id from walked order by id limit 1) as last,
      (select count(*)::int from ${matchesIn({ ...search, sql, selection })}) as matching`)
  return row!
}

/**
 * Null where reading is cheaper. A quarter of what is thought necessary shows whether it is, unless each statement has to
 * look at so many entries that one is better than two.
 */
async function countAsked(search: Search, limit: number): Promise<number | null> {
  const all = { walked: 0, matching: 0 }
  let last: string | null = null
  let left = stepsTo(search, limit, search.guess.share)
  const isDear = search.guess.messages * cost.entry > left * cost.asking
  for (
    let steps = isDear ? left : Math.ceil(left / 4);
    left * cost.asking < readingAll(search);
    steps = left
  ) {
    const part = await askNext(search, last, steps)
    all.walked += part.walked
    all.matching += part.matching
    if (all.matching >= limit || part.walked < steps) return Math.min(all.matching, limit)
    last = part.last
    left = stepsAfter(search, limit, all) - all.walked
    await search.goOn()
  }
  return null
}

/** Mostly it is enough to see that there are more than are ever counted, for which some of the messages do. */
async function isMore(search: Search, limit: number, most: number): Promise<boolean> {
  const { tickets, listed, share } = search.guess
  const perTicket = Math.max(search.guess.messages / (share * tickets), 1)
  let messages = Math.ceil((spare * limit * perTicket * tickets) / Math.min(listed, tickets))
  for (; reading(search, messages) < most; messages *= 4) {
    if ((await countIn(search, someMatches(search, messages), limit)) === limit) return true
    await search.goOn()
  }
  return false
}

/** Messages from which on a total is not worth its time, of a question that means more than was typed: people ask it with each letter. */
const mostMeant = 20_000

/** Messages of the tickets that the list shows, if they have the words as often as others do. */
const guessOwn = ({ messages, listed, tickets }: Search['guess']): number =>
  messages * Math.min(listed / tickets, 1)

async function count(search: Search, limit: number): Promise<number | null> {
  if (search.isWide && guessOwn(search.guess) > mostMeant) return null
  const asking = stepsTo(search, limit, search.guess.share) * cost.asking
  if (await isMore(search, limit, Math.min(asking, readingAll(search)))) return limit
  return (await countAsked(search, limit)) ?? countIn(search, everyMatch(search), limit)
}

/** What is indexed as an older version did: as `searchable` leaves it, or before migration 23 as it is. */
export const oldWords = (sql: Sql, q: string): Fragment =>
  sql`(plainto_tsquery('simple', searchable(${q})) || plainto_tsquery('simple', ${q}))` as Fragment

/** What is searched, and how it is found again in a text. */
export interface WordSearch extends Words {
  groups: Group[]
}

export async function readWords(sql: Sql, projectId: string, pieces: Piece[]): Promise<WordSearch> {
  const groups = await ask(sql, projectId, pieces, { beginnings: 'last' })
  const old = oldWords(sql, pieces.map(({ text }) => text).join(' '))
  return { groups, ...(await askBoth(sql, projectId, ['messages', 'tickets'], printQuestion(groups), old)) }
}

/** How a list that is searched for words finds its pages and counts itself: in time, or not at all. */
export async function searchWords(
  sql: Sql,
  projectId: string,
  { words, groups }: WordSearch,
  selection: Selection,
): Promise<Pick<ListQuery<unknown>, 'find' | 'count'>> {
  const guessed = await guess(sql, projectId, words, selection)
  const search = { projectId, words, selection, guess: guessed, isWide: isWide(groups) }
  return {
    find: (condition, ordering, rows) =>
      findInTime(sql, 'q', (own, goOn) => find({ ...search, sql: own, goOn }, condition, ordering, rows)),
    count: limit => countInTime(sql, (own, goOn) => count({ ...search, sql: own, goOn }, limit)),
  }
}
