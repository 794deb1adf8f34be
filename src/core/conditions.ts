import type { Fragment, Sql } from './db.ts'
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

/** A condition for a filter that was sent. */
export const when = <T>(value: T | undefined, condition: (value: T) => Fragment): Fragment[] =>
  value === undefined ? [] : [condition(value)]
