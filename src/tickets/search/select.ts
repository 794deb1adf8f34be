import { allOf } from '../../core/db/conditions.ts'
import { type Fragment, hiddenValue, type Sql } from '../../core/db/db.ts'
import { isFirstPage, type Sort } from '../../core/paging/paging.ts'
import type { TicketSearch } from '../schema.ts'
import {
  activityFilters,
  copiedFilters,
  createdBefore,
  farRange,
  movedSince,
  type Narrowed,
  ownFilters,
  type Side,
} from './filters.ts'
import { guessRows, guessTickets } from './guess.ts'
import { narrow } from './operators.ts'
import { questionOf } from './question.ts'
import type { Selection } from './selection.ts'

/**
 * Chooses which tables a list reads, and in which order. `t` is the table of tickets, whose indexes give the order by
 * `created_at`. `a` is the activity, whose indexes give every order and contain copies of the filtered columns, so that the
 * tickets need not be read.
 */

interface List {
  sql: Sql
  projectId: string
  query: Narrowed
  name: string
  isDescending: boolean
}

function readList(sql: Sql, projectId: string, query: Narrowed): List {
  const order = query.sort ?? '-created_at'
  return { sql, projectId, query, name: order.replace('-', ''), isDescending: order.startsWith('-') }
}

const inProject = ({ sql, projectId }: List, side: Side): Fragment =>
  sql`${sql(`${side}.project_id`)} = ${projectId}`

function sortOf({ sql, name, isDescending }: List, side: Side): Sort {
  const column = sql`${sql(`${name === 'created_at' ? side : 'a'}.${name}`)}`
  const id = side === 't' ? sql`t.id` : sql`a.ticket_id`
  return { name, isDescending, column, id, isNullable: name === 'last_message_at' }
}

/** Makes Postgres sort the result, because no index gives the order of an expression. */
const bySorting = ({ sql }: List, sort: Sort): Sort => ({
  ...sort,
  column: sql`(${sort.column} + interval '0')`,
})

const tickets = (sql: Sql): Fragment => sql`tickets t`
const activity = (sql: Sql): Fragment => sql`ticket_activity a`

/** All conditions on the tickets. */
const ofTickets = (list: List): Fragment[] => [
  inProject(list, 't'),
  ...copiedFilters(list.sql, 't', list.query),
  ...ownFilters(list.sql, list.projectId, list.query),
]

/** The conditions that an index can answer. All tickets that match them are read to find those that match the others too. */
function ofIndexes(list: List): Fragment[] {
  const checked = list.query.more?.checked ?? []
  return ofTickets(list).filter(one => !checked.includes(one))
}

const whereTickets = (list: List): Fragment =>
  allOf(list.sql, [...ofTickets(list), ...createdBefore(list.sql, 't', list.query)])

const isFiltered = ({ sql, projectId, query }: List): boolean =>
  [...copiedFilters(sql, 't', query), ...ownFilters(sql, projectId, query)].length > 1 ||
  query.is_spam === true

const isWhole = (list: List): boolean =>
  !isFiltered(list) && activityFilters(list.sql, list.projectId, list.query).length === 0

function ticketsWhere(list: List, where: Fragment, isSettled: boolean): Selection {
  const [from, sort] = [tickets(list.sql), sortOf(list, 't')]
  const count = { countFrom: from, countWhere: where, countId: sort.id }
  return { from, where, ...count, isWhole: isWhole(list), isSettled, sort }
}

const selectTickets = (list: List): Selection => ticketsWhere(list, whereTickets(list), false)

/**
 * A first page by creation, of all tickets or of those with one status, priority or channel. For each there is an index that
 * begins with this value and continues with the creation time.
 */
function selectSettled(list: List): Selection | null {
  const { sql, projectId, query } = list
  if (query.q !== undefined || !isFirstPage(query)) return null
  const words = (['status', 'priority', 'channel'] as const).flatMap(name =>
    (query[name] ?? []).map(word => [name, word] as const),
  )
  // The other conditions may only be the project and that it is not spam.
  if (words.length > 1 || query.is_spam || ofTickets(list).length > 2 + words.length) return null
  const where = allOf(sql, [
    sql`t.project_id = ${projectId} and not t.is_spam`,
    ...words.map(([name, word]) => sql`${sql(`t.${name}`)} = ${hiddenValue(sql, word, 'text')}`),
  ])
  return ticketsWhere(list, where, true)
}

/** Reads the activity alone, or joined with the tickets if a filter needs columns that only they have. */
function selectActivity(list: List): Selection {
  const { sql, projectId, query, name } = list
  const own = ownFilters(sql, projectId, query)
  const moved = activityFilters(sql, projectId, query)
  const joined = sql`ticket_activity a join tickets t on t.project_id = a.project_id and t.id = a.ticket_id`
  const from = own.length ? joined : activity(sql)
  const all = [inProject(list, 'a'), ...copiedFilters(sql, 'a', query), ...own, ...moved]
  const bounds = [...createdBefore(sql, 'a', query), ...(name === 'updated_at' ? movedSince(sql, query) : [])]
  return {
    from,
    where: allOf(sql, [...all, ...bounds]),
    ...(moved.length
      ? { countFrom: from, countWhere: allOf(sql, all), countId: sql`a.ticket_id` }
      : { countFrom: tickets(sql), countWhere: whereTickets(list), countId: sql`t.id` }),
    isWhole: isWhole(list),
    isSettled: false,
    sort: sortOf(list, 'a'),
  }
}

/** Reads the tickets first, and then the activity of each: for a few of many. */
function selectFew(list: List): Selection {
  const { sql, projectId, query } = list
  return {
    ...selectActivity(list),
    from: sql`tickets t join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id`,
    where: allOf(sql, [whereTickets(list), ...activityFilters(sql, projectId, query)]),
    sort: bySorting(list, sortOf(list, 't')),
  }
}

/** Reads everything in a range, and sorts it. */
function selectRange(list: List, range: Fragment[]): Selection {
  const selection = selectActivity(list)
  return {
    ...selection,
    where: allOf(list.sql, [selection.where, ...range]),
    sort: bySorting(list, selection.sort),
  }
}

/** The number of entries to read in order until the page is full, if the wanted ones are spread evenly. */
const guessSteps = ({ query: { page = 1, page_size = 20 } }: List, total: number, wanted: number): number =>
  Math.min(total, (page * page_size * total) / Math.max(wanted, 1))

/**
 * Finding the activity of a ticket takes this many times as long as reading the next index entry: 1.5 µs and 0.12 µs
 * (bench/growth).
 */
const stepsPerLookup = 12

/** Chooses by the planner's statistics: a few tickets, a range, or else the order until the page is full. */
async function choose(list: List, range: Fragment[]): Promise<Selection> {
  const { sql, projectId, query } = list
  const where = allOf(sql, [inProject(list, 'a'), ...range])
  const [total, wanted, read, ranged] = await Promise.all([
    guessTickets(sql, projectId),
    guessRows(sql, tickets(sql), allOf(sql, ofTickets(list))),
    query.more?.checked.length ? guessRows(sql, tickets(sql), allOf(sql, ofIndexes(list))) : null,
    range.length ? guessRows(sql, activity(sql), where) : 0,
  ])
  const isSorted = range.length > 0 && 2 * ranged < total
  const skipped = range.length ? total - ranged : 0
  const steps = isSorted ? ranged : Math.min(total, skipped + guessSteps(list, total, wanted))
  const perTicket = ownFilters(sql, projectId, query).length ? 1 : stepsPerLookup
  if ((read ?? wanted) * perTicket < steps) return selectFew(list)
  return isSorted ? selectRange(list, range) : selectActivity(list)
}

export async function select(
  sql: Sql,
  projectId: string,
  asked: TicketSearch,
  question = questionOf(asked),
): Promise<Selection> {
  return selectNarrowed(sql, projectId, await narrow(sql, projectId, asked, question))
}

export async function selectNarrowed(sql: Sql, projectId: string, query: Narrowed): Promise<Selection> {
  const list = readList(sql, projectId, query)
  const range = farRange(sql, query, list)
  const isOfActivity = list.name !== 'created_at' || query.namesSpam === true
  const asksActivity = isOfActivity || activityFilters(sql, projectId, query).length > 0
  if (!asksActivity && !range.length) return selectSettled(list) ?? selectTickets(list)
  if (query.q !== undefined || !(isFiltered(list) || range.length)) return selectActivity(list)
  return choose(list, range)
}
