import { type Fragment, isTimeout, type Sql } from '../db/db.ts'
import { invalidQuery } from '../errors.ts'
import { type Position, printCursor, scopeOf, startOf } from './cursor.ts'
import { findFrom, findPage } from './find-rows.ts'

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
  /** Whether the column holds texts, in the order of their bytes. */
  isText?: boolean
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
  /** The order in which it was found, if that is not the order of the list. */
  sort?: Sort
}

/** The rows of a page, by their position in the order. */
export interface RowRange {
  limit: number
  offset: number
}

/** Rows in one order. */
export interface OrderedRows {
  sql: Sql
  sort: Sort
  /** Whether the statement that finds the page stays prepared (see `preparedIf`). */
  isSettled?: boolean
  /** Finds the rows of a page by the list's own conditions, an additional condition, and an ordering with limit and offset. */
  find(condition: Fragment, ordering: Fragment, rows: RowRange): Promise<readonly FoundRow[]>
}

export interface ListQuery<T> extends OrderedRows {
  /** The record in the path, for lists that belong to a record. */
  of?: string
  /** A row that comes first in every order. `find` and `count` leave it out. */
  first?: FoundRow | null
  /** Further rows, in another order, which come after those that `find` finds. `count` includes them. */
  rest?(): Promise<OrderedRows>
  /** Loads the records of a page, in any order. Only these are joined and counted. */
  load(ids: string[]): Promise<readonly T[]>
  /** Counts at most `deepest + 1` rows; null if that would take too long. */
  count(limit: number): Promise<number | null>
}

const usualSizes = [10, 20, 25, 50, 100]

/** Whether a page is common enough to keep its statement prepared: a first page of a usual size. */
export const isFirstPage = ({ page = 1, page_size = 20, cursor }: PageQuery): boolean =>
  page === 1 && cursor === undefined && usualSizes.includes(page_size)

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

const cursorAfter = <T>(list: ListQuery<T>, last: FoundRow, scope: string): string =>
  printCursor(last.sort ?? list.sort, placeOf(list, last), scope)

/** One page of a list, as every list of the API returns it. */
export async function listPage<T extends { id: string }>(
  list: ListQuery<T>,
  query: PageQuery,
): Promise<Listed<T>> {
  const { page = 1, page_size: size = 20, cursor, count = true } = query
  const scope = scopeOf(query, list.of)
  if (cursor === undefined && page * size > maxTotal) {
    throw invalidQuery('page', `Pages end at row ${maxTotal}; use cursor to read on`, page)
  }
  const wanted = { limit: size + 1, offset: (page - 1) * size }
  const isCounted = count && cursor === undefined
  const found =
    cursor === undefined ? await findPage(list, wanted) : await findFrom(list, cursor, scope, size + 1)
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
    next_cursor: hasMore && last ? cursorAfter(list, last, scope) : null,
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
