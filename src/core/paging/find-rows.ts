import type { Fragment, Sql } from '../db/db.ts'
import { hasOrder, type Position, printValue, readCursor } from './cursor.ts'
import type { FoundRow, ListQuery, OrderedRows, RowRange, Sort } from './paging.ts'

/** Finds the rows of a page. */

/** Adds `nulls last` only if there can be nulls, because a plain index cannot return that order backwards. */
export function orderBy(sql: Sql, { column, id, isDescending, isNullable }: Omit<Sort, 'name'>): Fragment {
  const direction = isDescending ? sql`desc` : sql`asc`
  const nulls = isNullable ? sql`nulls last` : sql``
  return sql`order by ${column} ${direction} ${nulls}, ${id} ${direction}`
}

/** In prepared statements the page size is part of the text. As a parameter, it would make a new plan look cheaper each time. */
function ordering({ sql, sort, isSettled }: OrderedRows, { limit, offset }: RowRange): Fragment {
  const rows = isSettled ? sql`limit ${sql.unsafe(String(limit))}` : sql`limit ${limit} offset ${offset}`
  return sql`${orderBy(sql, sort)} ${rows}`
}

/** The rows after a position: first those with a value, found in the index by one row comparison, then those without. */
async function findAfter(list: OrderedRows, at: Position, limit: number): Promise<readonly FoundRow[]> {
  const { sql, sort, find } = list
  const { column, id, isDescending } = sort
  const compare = isDescending ? sql`<` : sql`>`
  const first = { limit, offset: 0 }
  const order = ordering(list, first)
  const afterId = sql`(${column} is null and ${id} ${compare} ${at.id}::uuid)`
  if (at.value === null) return find(afterId, order, first)
  const value = printValue(sql, sort, at.value)
  const place = sql`(${value}, ${at.id}::uuid)`
  const rows = await find(sql`(${column}, ${id}) ${compare} ${place}`, order, first)
  if (rows.length === limit || !sort.isNullable) return rows
  const rest = { limit: limit - rows.length, offset: 0 }
  return [...rows, ...(await find(sql`${column} is null`, ordering(list, rest), rest))]
}

/** The first rows in this order, marked with it. */
async function findRest(rest: OrderedRows, rows: RowRange): Promise<FoundRow[]> {
  const found = await rest.find(rest.sql`true`, ordering(rest, rows), rows)
  return found.map(row => ({ ...row, sort: rest.sort }))
}

/** The rows after a cursor, which may be among those in another order. */
export async function findFrom<T>(list: ListQuery<T>, cursor: string, scope: string, limit: number) {
  if (list.rest && !hasOrder(cursor, list.sort)) {
    const rest = await list.rest()
    const found = await findAfter(rest, readCursor(cursor, rest.sort, scope), limit)
    return found.map(row => ({ ...row, sort: rest.sort }))
  }
  const found = await findAfter(list, readCursor(cursor, list.sort, scope), limit)
  if (!list.rest || found.length === limit) return found
  return [...found, ...(await findRest(await list.rest(), { limit: limit - found.length, offset: 0 }))]
}

/** The number of rows before those in another order. The page starts among the first 10,000. */
async function countBefore<T>(list: ListQuery<T>, { offset }: RowRange, found: number): Promise<number> {
  if (found > 0 || offset === 0) return offset + found
  const all = { limit: offset, offset: 0 }
  return (await findOrdered(list, all)).length
}

/** The rows of a numbered page. */
export async function findPage<T>(list: ListQuery<T>, wanted: RowRange): Promise<readonly FoundRow[]> {
  const found = await findOrdered(list, wanted)
  if (!list.rest || found.length === wanted.limit) return found
  const offset = Math.max(wanted.offset - (await countBefore(list, wanted, found.length)), 0)
  return [...found, ...(await findRest(await list.rest(), { limit: wanted.limit - found.length, offset }))]
}

/** The rows of a numbered page that are in the order of the list. */
async function findOrdered<T>(list: ListQuery<T>, { limit, offset }: RowRange): Promise<readonly FoundRow[]> {
  const { sql, first, find } = list
  const isFirst = first && offset === 0
  const rest = first
    ? { limit: isFirst ? limit - 1 : limit, offset: Math.max(offset - 1, 0) }
    : { limit, offset }
  const found = await find(sql`true`, ordering(list, rest), rest)
  return isFirst ? [first, ...found] : found
}
