import { firstIdOf } from '../ids.ts'
import { parseTime, toDatabase } from '../time.ts'
import type { Fragment, Sql } from './db.ts'

/** Joins conditions with `and`. */
export const allOf = (sql: Sql, conditions: Fragment[]): Fragment =>
  conditions.reduce((all, condition) => sql`${all} and ${condition}`)

/** A range of times, including `after` and excluding `before`. */
export function timeRange(sql: Sql, column: Fragment, after?: string, before?: string): Fragment[] {
  const at = (text: string) => toDatabase(parseTime(text)!)
  return [
    ...(after === undefined ? [] : [sql`${column} >= ${at(after)}::timestamptz`]),
    ...(before === undefined ? [] : [sql`${column} < ${at(before)}::timestamptz`]),
  ]
}

/** Ids are created in the order of time, give or take some milliseconds, so a range of times is also a range of ids. */
export function idRange(
  sql: Sql,
  id: Fragment,
  [after, before]: (string | undefined)[],
  slack: number,
): Fragment[] {
  const at = (text: string) => Date.parse(`${parseTime(text)}Z`)
  return [
    ...conditionIf(after, text => sql`${id} >= ${firstIdOf(at(text) - slack)}`),
    ...conditionIf(before, text => sql`${id} < ${firstIdOf(at(text) + slack)}`),
  ]
}

/** The values of a custom field that a query string may mean: the string, a number or a boolean, each also as an element of a list. */
function valuesOf(text: string): unknown[] {
  const isNumber = /^-?\d{1,16}(\.\d{1,16})?$/.test(text)
  const single = [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(/^(true|false)$/.test(text) ? [text === 'true'] : []),
  ]
  return single.flatMap(value => [value, [value]])
}

/** Conditions for custom fields with these values, in the form that the GIN index (`jsonb_path_ops`) supports. */
export const hasFields = (sql: Sql, column: Fragment, sent: Record<string, string>): Fragment[] =>
  Object.entries(sent).map(([key, text]) => {
    const pairs = valuesOf(text).map(value => JSON.stringify({ [key]: value }))
    const any = pairs.map(pair => sql`${column} @> ${pair}::text::jsonb`)
    return sql`(${any.reduce((all, one) => sql`${all} or ${one}`)})`
  })

/** The condition of a filter, if the filter was sent. */
export const conditionIf = <T>(value: T | undefined, condition: (value: T) => Fragment): Fragment[] =>
  value === undefined ? [] : [condition(value)]
