import { type Fragment, isTimeout, type Sql } from '../db/db.ts'
import { invalidQuery } from '../errors.ts'
import { toDatabase } from '../time.ts'
import { type Position, printCursor, readCursor, scopeOf, startOf } from './cursor.ts'

/** Pages of a list: by number up to row 10,000, by cursor without a limit. Nulls sort last in both directions. */

export interface PageQuery {
  page?: number
  page_size?: number
  cursor?: string
  count?: boolean
}

export interface Sort {
  /** The name in the API, without a `-`. */
  name: string
  isDescending: boolean
  /** The SQL of the column to sort by, and of the id that breaks ties. */
  column: Fragment
  id: Fragment
  isNullable?: boolean
  /** Whether the column holds numbers; `sort_value` has them as text. */
  isNumber?: boolean
}

export interface Listed<T> {
  items: T[]
  page: number | null
  page_size: number
  total: number | null
  total_capped?: boolean
  pages: number | null
  has_more: boolean
  next_cursor: string | null
}

export const maxTotal = 10_000

export interface FoundRow {
  id: string
  sort_value: string | null
}

/** The rows of a page, by their position in the order. */
export interface RowRange {
  limit: number
  offset: number
}

export interface ListQuery<T> {
  sql: Sql
  sort: Sort
  /** The record in the path, for lists that belong to a record. */
  of?: string
  /** Whether the statement that finds the page stays prepared (see `preparedIf`). */
  isSettled?: boolean
  /** A row that comes first in every order. `find` and `count` leave it out. */
  first?: FoundRow | null
  /** Finds the rows of a page by the list's own conditions, an additional condition, and an ordering with limit and offset. */
  find(condition: Fragment, ordering: Fragment, rows: RowRange): Promise<readonly FoundRow[]>
  /** Loads the records of a page, in any order. Only these are joined and counted. */
  load(ids: string[]): Promise<readonly T[]>
  /** Counts at most `deepest + 1` rows; null if that would take too long. */
  count(limit: number): Promise<number | null>
}

/** Adds `nulls last` only if there can be nulls, because a plain index cannot return that order backwards. */
export function orderBy(sql: Sql, { column, id, isDescending, isNullable }: Omit<Sort, 'name'>): Fragment {
  const direction = isDescending ? sql`desc` : sql`asc`
  const nulls = isNullable ? sql`nulls last` : sql``
  return sql`order by ${column} ${direction} ${nulls}, ${id} ${direction}`
}

const usualSizes = [10, 20, 25, 50, 100]

/** Whether a page is common enough to keep its statement prepared: a first page of a usual size. */
export const isFirstPage = ({ page = 1, page_size = 20, cursor }: PageQuery): boolean =>
  page === 1 && cursor === undefined && usualSizes.includes(page_size)

/** In prepared statements the page size is part of the text. As a parameter, it would make a new plan look cheaper each time. */
function ordering<T>({ sql, sort, isSettled }: ListQuery<T>, { limit, offset }: RowRange): Fragment {
  const rows = isSettled ? sql`limit ${sql.unsafe(String(limit))}` : sql`limit ${limit} offset ${offset}`
  return sql`${orderBy(sql, sort)} ${rows}`
}

/** The rows after a position: first those with a value, found in the index by one row comparison, then those without. */
async function findAfter<T>(list: ListQuery<T>, at: Position, limit: number): Promise<readonly FoundRow[]> {
  const { sql, sort, find } = list
  const { column, id, isDescending } = sort
  const compare = isDescending ? sql`<` : sql`>`
  const first = { limit, offset: 0 }
  const order = ordering(list, first)
  const afterId = sql`(${column} is null and ${id} ${compare} ${at.id}::uuid)`
  if (at.value === null) return find(afterId, order, first)
  const value = sort.isNumber ? sql`${at.value}::text::float8` : sql`${toDatabase(at.value)}::timestamptz`
  const place = sql`(${value}, ${at.id}::uuid)`
  const rows = await find(sql`(${column}, ${id}) ${compare} ${place}`, order, first)
  if (rows.length === limit || !sort.isNullable) return rows
  const rest = { limit: limit - rows.length, offset: 0 }
  return [...rows, ...(await find(sql`${column} is null`, ordering(list, rest), rest))]
}

/** The rows of a numbered page. */
async function findPage<T>(list: ListQuery<T>, { limit, offset }: RowRange): Promise<readonly FoundRow[]> {
  const { sql, first, find } = list
  const isFirst = first && offset === 0
  const rest = first
    ? { limit: isFirst ? limit - 1 : limit, offset: Math.max(offset - 1, 0) }
    : { limit, offset }
  const found = await find(sql`true`, ordering(list, rest), rest)
  return isFirst ? [first, ...found] : found
}

const uncounted = { total: null, pages: null }

/** A page without its total is better than no page: after a restart, the rows to count may have to be read from a slow disk. */
function giveUp(error: unknown): null {
  if (isTimeout(error)) return null
  throw error
}

/** The last page of a list gives the total without counting. Most lists that are requested are short. */
const countEnd = ({ offset, limit }: RowRange, found: number): number | null =>
  found < limit && (found > 0 || offset === 0) ? offset + found : null

async function countAll<T>({ count, first }: ListQuery<T>): Promise<number | null> {
  const counted = await count(maxTotal + 1).catch(giveUp)
  return counted === null ? null : counted + (first ? 1 : 0)
}

async function countRows<T>(list: ListQuery<T>, wanted: RowRange, found: number) {
  const counted = countEnd(wanted, found) ?? (await countAll(list))
  if (counted === null) return uncounted
  const pageSize = wanted.limit - 1
  const total = Math.min(counted, maxTotal)
  return { total, ...(counted > maxTotal && { total_capped: true }), pages: Math.ceil(total / pageSize) }
}

/** The position after a row. After the row that comes first in every order, it is the beginning of the list. */
const placeOf = <T>({ sort, first }: ListQuery<T>, { id, sort_value }: FoundRow): Position =>
  id === first?.id ? startOf(sort) : { value: sort_value, id }

/** One page of a list, as every list of the API returns it. */
export async function listPage<T extends { id: string }>(
  list: ListQuery<T>,
  query: PageQuery,
): Promise<Listed<T>> {
  const { page = 1, page_size: size = 20, cursor, count = true } = query
  const { sort } = list
  const scope = scopeOf(query, list.of)
  if (cursor === undefined && page * size > maxTotal) {
    throw invalidQuery('page', `Pages end at row ${maxTotal}; use cursor to read on`, page)
  }
  const wanted = { limit: size + 1, offset: (page - 1) * size }
  const isCounted = count && cursor === undefined
  const found =
    cursor === undefined
      ? await findPage(list, wanted)
      : await findAfter(list, readCursor(cursor, sort, scope), size + 1)
  const shown = found.slice(0, size)
  const last = shown.at(-1)
  const hasMore = found.length > size
  const [items, totals] = await Promise.all([
    loadInOrder(list, shown),
    isCounted ? countRows(list, wanted, found.length) : uncounted,
  ])
  return {
    items,
    page: cursor === undefined ? page : null,
    page_size: size,
    ...totals,
    has_more: hasMore,
    next_cursor: hasMore && last ? printCursor(sort, placeOf(list, last), scope) : null,
  }
}

/** Whether a record changed after it was found. It is then omitted, because its new time would move the reader past other changes: decision 41. */
const hasMoved = ({ name, isDescending }: Sort, { sort_value }: FoundRow, record: object): boolean =>
  name === 'updated_at' && !isDescending && !('updated_at' in record && record.updated_at === sort_value)

async function loadInOrder<T extends { id: string }>(
  list: ListQuery<T>,
  found: readonly FoundRow[],
): Promise<T[]> {
  if (!found.length) return []
  const records = new Map((await list.load(found.map(row => row.id))).map(record => [record.id, record]))
  return found.flatMap(row => {
    const record = records.get(row.id)
    return record && !hasMoved(list.sort, row, record) ? record : []
  })
}

/** The URL of the page at this cursor in the same list. */
export function addressAt(cursor: string, address: string): string {
  const url = new URL(address, 'http://relative')
  url.searchParams.delete('page')
  url.searchParams.set('cursor', cursor)
  return url.pathname + url.search
}
