import { sha256 } from './crypto.ts'
import { invalidQuery } from './errors.ts'
import { isId } from './ids.ts'
import type { Sort } from './paging.ts'
import { parseTime } from './time.ts'

/** Where a list goes on: the order, the place in it, and which list it is. */

export interface Position {
  value: string | null
  id: string
}

const ofPage = new Set(['page', 'page_size', 'cursor', 'count', 'sort', 'order'])

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.toSorted()
  return typeof value === 'object' && value !== null ? Object.entries(value).sort() : value
}

/** Eight characters for whose list it is and what it is filtered by: with another filter a cursor leads astray. */
export function scopeOf(query: object, of = ''): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => !ofPage.has(name) && value !== undefined)
    .map(([name, value]) => JSON.stringify([name, sorted(value)]))
    .sort()
  return sha256(JSON.stringify([of, filters]))
    .toString('base64url')
    .slice(0, 8)
}

/** Where a list goes on after a row. */
export const printCursor = (sort: Sort, at: Position, scope: string): string =>
  Buffer.from(`${sort.isDescending ? '-' : '+'}${sort.name}|${at.value}|${at.id}|${scope}`).toString(
    'base64url',
  )

const nobody = '00000000-0000-0000-0000-000000000000'

/** The place before every row. */
export function startOf({ isDescending, isNumber }: Sort): Position {
  const [least, most] = isNumber
    ? ['-999999999999999999', '999999999999999999']
    : ['0001-01-01T00:00:00.000000', '9999-12-31T23:59:59.999999']
  return { value: isDescending ? most : least, id: nobody.replaceAll('0', isDescending ? 'f' : '0') }
}

const number = /^-?\d{1,18}(\.\d{1,30})?(e-\d\d)?$/

export function readCursor(text: string, sort: Sort, scope: string): Position {
  // One that was given before cursors had a scope is good for any list of its order.
  const [order, value = '', id = '', of = scope] = Buffer.from(text, 'base64url')
    .toString('latin1')
    .split('|')
  const isValue = sort.isNumber ? number.test(value) : parseTime(value) === value
  const isPlace = (value === 'null' && sort.isNullable) || isValue
  const isOurs =
    order === `${sort.isDescending ? '-' : '+'}${sort.name}` && isPlace && isId(id) && of === scope
  if (!isOurs) {
    throw invalidQuery(
      'cursor',
      'Input should be the next_cursor of a page with the same sort and filters',
      text,
    )
  }
  return { value: value === 'null' ? null : value, id }
}
