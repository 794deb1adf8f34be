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
    ...when(after, text => sql`${id} >= ${firstIdOf(at(text) - slack)}` as Fragment),
    ...when(before, text => sql`${id} < ${firstIdOf(at(text) + slack)}` as Fragment),
  ]
}

/** A condition for a filter that was sent. */
export const when = <T>(value: T | undefined, condition: (value: T) => Fragment): Fragment[] =>
  value === undefined ? [] : [condition(value)]
