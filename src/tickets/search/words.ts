import { type Fragment, type Sql, unprepared } from '../../core/db/db.ts'
import { countWithDeadline, findWithDeadline } from '../../core/db/search-deadline.ts'
import { orderBy } from '../../core/paging/find-rows.ts'
import type { FoundRow, ListQuery, RowRange } from '../../core/paging/paging.ts'
import type { Piece } from '../../core/words/pieces.ts'
import { ask, askBoth, type Group, isWide, printQuestion, type Words } from '../../words/words.ts'
import { everyMatch, guess, matchesIn, someMatches, type TextSearch } from './matches.ts'
import { countTickets, findTicketIds, type Selection } from './selection.ts'

/**
 * Searches words in subjects and messages, in one of two ways that find the same: walk through the tickets of the list and check
 * them, thousands at a time, or read the messages that have the words and keep the tickets that are in the list. The planner's
 * statistics show which is cheaper, but not where in the list a word is common. So the matches of a walk are used to estimate how
 * much farther it would have to go, and whether reading is cheaper after all.
 */

/** Microseconds, measured with 1,000,000 tickets and 5,000,000 messages in memory (bench/growth). */
const cost = {
  asking: 6,
  reading: 2,
  /** A message's entry in the index of words. All entries are read before the first message. */
  entry: 0.12,
  /** A ticket of the list, which is compared with those of the messages that were read. */
  listing: 0.2,
}

const minSteps = 200
/** The next part may have fewer matches than the last one. */
const stepMargin = 1.2

const reading = ({ guess }: TextSearch, messages: number): number =>
  guess.messages * cost.entry + messages * cost.reading

const readingAll = (search: TextSearch): number =>
  reading(search, search.guess.messages) + search.guess.listed * cost.listing

/** The number of tickets that were checked, and how many of them match. */
interface Walk {
  walked: number
  matching: number
}

/** The number of tickets to check until this many match, if this share does. At most all that are listed. */
const stepsTo = ({ guess }: TextSearch, wanted: number, share: number): number =>
  Math.ceil(stepMargin * Math.min(wanted / share, guess.listed)) + minSteps

/** How far to go after a part of the walk. At least twice as far, because the number of listed tickets is an estimate too. */
const stepsAfter = (search: TextSearch, wanted: number, { walked, matching }: Walk): number =>
  Math.max(stepsTo(search, wanted, Math.max(matching, 0.5) / walked), 2 * walked)

/** The matches among the first `steps` tickets of the order. */
async function walkPage(search: TextSearch, condition: Fragment, { limit, offset }: RowRange, steps: number) {
  const { sql, selection } = search
  const { from, where, sort } = selection
  const order = orderBy(sql, { ...sort, column: sql`sort_value`, id: sql`id` })
  const rows = await unprepared(sql<(FoundRow & Walk)[]>`
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
  return { walked, matching, page: rows.filter(row => row.id !== null) }
}

async function find(
  search: TextSearch,
  condition: Fragment,
  ordering: Fragment,
  rows: RowRange,
): Promise<readonly FoundRow[]> {
  const { sql, selection, guess } = search
  const wanted = rows.limit + rows.offset
  for (let steps = stepsTo(search, wanted, guess.share); steps * cost.asking < readingAll(search); ) {
    const walk = await walkPage(search, condition, rows, steps)
    if (walk.matching >= wanted || walk.walked < steps) return walk.page
    steps = stepsAfter(search, wanted, walk)
    if (walk.matching === 0 && steps * cost.asking > readingAll(search) / 2) break
    await search.goOn()
  }
  const from = sql`${selection.from}, ${everyMatch(search)}`
  const where = sql`${selection.where} and ${selection.sort.id} = found.id and ${condition}`
  return findTicketIds(sql, { from, where, sort: selection.sort, isSettled: false }, ordering)
}

/** The number of found tickets that are in the list. If the list has all tickets except spam, they need not be looked up. */
function countIn({ sql, projectId, selection }: TextSearch, found: Fragment, limit: number): Promise<number> {
  const { isWhole, countFrom, countWhere, countId } = selection
  const spam = sql`select from tickets s where s.project_id = ${projectId} and s.is_spam and s.id = found.id`
  const those = isWhole
    ? { countFrom: found, countWhere: sql`not exists (${spam})` }
    : {
        countFrom: sql`${countFrom}, ${found}`,
        countWhere: sql`${countWhere} and ${countId} = found.id`,
      }
  return countTickets(sql, { ...those, isSettled: false }, limit)
}

/** Newest first, because most filters keep many new tickets, and their messages are close together in the index. */
async function askNext({ sql, selection, ...search }: TextSearch, last: string | null, steps: number) {
  const { countId, countFrom, countWhere } = selection
  const [row] = await unprepared(sql<(Walk & { last: string | null })[]>`
    with walked as materialized (
      select ${countId} as id from ${countFrom}
      where ${countWhere} and ${last === null ? sql`true` : sql`${countId} < ${last}`}
      order by ${countId} desc limit ${steps})
    select (select count(*)::int from walked) as walked, (select id from walked order by id limit 1) as last,
      (select count(*)::int from ${matchesIn({ ...search, sql, selection })}) as matching`)
  return row!
}

/**
 * Returns null if reading is cheaper. Checking a quarter of the estimated number shows this, unless each statement has to read so
 * many index entries that one statement is better than two.
 */
async function countAsked(search: TextSearch, limit: number): Promise<number | null> {
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

/** Usually it is enough to see that the limit is exceeded, and some of the messages show this. */
async function isMore(search: TextSearch, limit: number, maxCost: number): Promise<boolean> {
  const { tickets, listed, share } = search.guess
  const perTicket = Math.max(search.guess.messages / (share * tickets), 1)
  let messages = Math.ceil((stepMargin * limit * perTicket * tickets) / Math.min(listed, tickets))
  for (; reading(search, messages) < maxCost; messages *= 4) {
    if ((await countIn(search, someMatches(search, messages), limit)) === limit) return true
    await search.goOn()
  }
  return false
}

/** With more messages than this, a wide search has no total, because people send one with each letter that they type. */
const maxMessagesCounted = 20_000

/** The messages of listed tickets that have the words, if these are as frequent there as elsewhere. */
const guessOwn = ({ messages, listed, tickets }: TextSearch['guess']): number =>
  messages * Math.min(listed / tickets, 1)

async function count(search: TextSearch, limit: number): Promise<number | null> {
  if (search.isWide && guessOwn(search.guess) > maxMessagesCounted) return null
  const asking = stepsTo(search, limit, search.guess.share) * cost.asking
  if (await isMore(search, limit, Math.min(asking, readingAll(search)))) return limit
  return (await countAsked(search, limit)) ?? countIn(search, everyMatch(search), limit)
}

/** Matches rows that an older version indexed: with `searchable` or, before migration 23, unchanged. */
export const oldWords = (sql: Sql, q: string): Fragment =>
  sql`(plainto_tsquery('simple', searchable(${q})) || plainto_tsquery('simple', ${q}))`

/** The words to search, and how to find them in a text. */
export interface WordSearch extends Words {
  groups: Group[]
}

export async function readWords(sql: Sql, projectId: string, pieces: Piece[]): Promise<WordSearch> {
  const groups = await ask(sql, projectId, pieces, { beginnings: 'last' })
  const old = oldWords(sql, pieces.map(({ text }) => text).join(' '))
  return { groups, ...(await askBoth(sql, projectId, ['messages', 'tickets'], printQuestion(groups), old)) }
}

/** How a list with words finds its pages and counts its tickets, within a time limit. */
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
      findWithDeadline(sql, 'q', (own, goOn) =>
        find({ ...search, sql: own, goOn }, condition, ordering, rows),
      ),
    count: limit => countWithDeadline(sql, (own, goOn) => count({ ...search, sql: own, goOn }, limit)),
  }
}
