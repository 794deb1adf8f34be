import { sha256 } from '../crypto.ts'
import type { Fragment, Sql } from '../db/db.ts'
import { invalidQuery } from '../errors.ts'
import { isId } from '../ids.ts'
import { parseTime, toDatabase } from '../time.ts'
import type { Sort } from './paging.ts'

/** A cursor is a position in a list: the order, the last row, and a hash that identifies the list. */

export interface Position {
  value: string | null
  id: string
}

const ofPage = new Set(['page', 'page_size', 'cursor', 'count', 'sort', 'order'])

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.toSorted()
  return typeof value === 'object' && value !== null ? Object.entries(value).sort() : value
}

/** Eight characters that identify the list and its filters, because a cursor is wrong with other filters. */
export function scopeOf(query: object, of = ''): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => !ofPage.has(name) && value !== undefined)
    .map(([name, value]) => JSON.stringify([name, sorted(value)]))
    .sort()
  return sha256(JSON.stringify([of, filters]))
    .toString('base64url')
    .slice(0, 8)
}

const printText = (value: string | null): string => Buffer.from(value ?? '').toString('hex')

const orderOf = ({ name, isDescending }: Sort): string => `${isDescending ? '-' : '+'}${name}`

/** The cursor for the rows after this one. */
export const printCursor = (sort: Sort, at: Position, scope: string): string =>
  Buffer.from(`${orderOf(sort)}|${sort.isText ? printText(at.value) : at.value}|${at.id}|${scope}`).toString(
    'base64url',
  )

const nobody = '00000000-0000-0000-0000-000000000000'

/** The position before the first row. */
export function startOf({ isDescending, isNumber }: Sort): Position {
  const [least, most] = isNumber
    ? ['-999999999999999999', '999999999999999999']
    : ['0001-01-01T00:00:00.000000', '9999-12-31T23:59:59.999999']
  return { value: isDescending ? most : least, id: nobody.replaceAll('0', isDescending ? 'f' : '0') }
}

/** The value of a position, as the list sorts it. */
export function printValue(sql: Sql, { isNumber, isText }: Sort, value: string): Fragment {
  if (isText) return sql`${value}::text`
  return isNumber ? sql`${value}::text::float8` : sql`${toDatabase(value)}::timestamptz`
}

const hex = /^([0-9a-f]{2})*$/

const number = /^-?\d{1,18}(\.\d{1,30})?(e-\d\d)?$/

function isValueOf({ isNumber, isText }: Sort, value: string): boolean {
  if (isText) return hex.test(value) && !value.includes('00')
  return isNumber ? number.test(value) : parseTime(value) === value
}

const partsOf = (text: string): string[] => Buffer.from(text, 'base64url').toString('latin1').split('|')

export const hasOrder = (cursor: string, sort: Sort): boolean => partsOf(cursor)[0] === orderOf(sort)

export function readCursor(text: string, sort: Sort, scope: string): Position {
  // A cursor from a version without scopes is accepted by any list with the same order.
  const [order, value = '', id = '', of = scope] = partsOf(text)
  const isValue = isValueOf(sort, value)
  const isPlace = (value === 'null' && sort.isNullable) || isValue
  const isOurs = order === orderOf(sort) && isPlace && isId(id) && of === scope
  if (!isOurs) {
    throw invalidQuery(
      'cursor',
      'Input should be the next_cursor of a page with the same sort and filters',
      text,
    )
  }
  if (sort.isText) return { value: Buffer.from(value, 'hex').toString(), id }
  return { value: value === 'null' ? null : value, id }
}
