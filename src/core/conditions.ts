import type { Fragment, Sql } from './db.ts'
import { firstIdOf } from './ids.ts'
import { parseTime, toDatabase } from './time.ts'

/** Joins conditions with `and`. */
export const allOf = (sql: Sql, conditions: Fragment[]): Fragment =>
  conditions.reduce((all, condition) => sql`${all} and ${condition}` as Fragment)

/** A range of times: after includes its bound, before excludes it. */
export function timeRange(sql: Sql, column: Fragment, after?: string, before?: string): Fragment[] {
  const at = (text: string) => toDatabase(parseTime(text)!)
  return [
    ...(after === undefined ? [] : [sql`${column} >= ${at(after)}::timestamptz` as Fragment]),
    ...(before === undefined ? [] : [sql`${column} < ${at(before)}::timestamptz` as Fragment]),
  ]
}

/** Ids are made in the order of time, give or take some milliseconds, so a range of times is one of ids too. */
export function idRange(
  sql: Sql,
  id: Fragment,
  [after, before]: (string | undefined)[],
  slack: number,
): Fragment[] {
  const at = (text: string) => Date.parse(`${parseTime(text)}Z`)
  return [
    ...conditionIf(after, text => sql`${id} >= ${firstIdOf(at(text) - slack)}` as Fragment),
    ...conditionIf(before, text => sql`${id} < ${firstIdOf(at(text) + slack)}` as Fragment),
  ]
}

/** What a text of a query may stand for in a custom field: itself, a number, a switch, each also in a list. */
function valuesOf(text: string): unknown[] {
  const isNumber = /^-?\d{1,16}(\.\d{1,16})?$/.test(text)
  const single = [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(/^(true|false)$/.test(text) ? [text === 'true'] : []),
  ]
  return single.flatMap(value => [value, [value]])
}

/** Custom fields with these values, in a form that an index of contained pairs serves. */
export const hasFields = (sql: Sql, column: Fragment, sent: Record<string, string>): Fragment[] =>
  Object.entries(sent).map(([key, text]) => {
    const pairs = valuesOf(text).map(value => JSON.stringify({ [key]: value }))
    const any = pairs.map(pair => sql`${column} @> ${pair}::text::jsonb` as Fragment)
    return sql`(${any.reduce((all, one) => sql`${all} or ${one}` as Fragment)})` as Fragment
  })

/** A condition for a filter that was sent. */
export const conditionIf = <T>(value: T | undefined, condition: (value: T) => Fragment): Fragment[] =>
  value === undefined ? [] : [condition(value)]
