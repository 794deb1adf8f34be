import { timeRange, when } from '../core/conditions.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { isId } from '../core/ids.ts'
import type { TicketQuery } from './schema.ts'

/** A column that holds one of some ids; `none` is the empty one, and a word that is no id holds nothing. */
function oneOf(sql: Sql, column: Fragment, sent: string[]): Fragment {
  const isOne = sql`${column} = any(${sent.filter(isId) as never}::uuid[])`
  return (sent.includes('none') ? sql`(${column} is null or ${isOne})` : isOne) as Fragment
}

/** One word is compared directly, so that an index on it also gives the order. */
const wordOf = (sql: Sql, column: Fragment, sent: string[]): Fragment =>
  (sent.length === 1
    ? sql`${column} = ${sent[0]!}`
    : sql`${column} = any(${sent as never}::text[])`) as Fragment

export const fieldFilters = (sql: Sql, query: TicketQuery): Fragment[] => [
  ...when(query.status, sent => wordOf(sql, sql`t.status` as Fragment, sent)),
  ...when(query.priority, sent => wordOf(sql, sql`t.priority` as Fragment, sent)),
  ...when(query.channel, sent => wordOf(sql, sql`t.channel` as Fragment, sent)),
  ...when(query.tag, sent => sql`t.tags && ${sent as never}::text[]` as Fragment),
  ...when(query.contact_id, sent => oneOf(sql, sql`t.contact_id` as Fragment, sent)),
  ...when(query.operator_id, sent => oneOf(sql, sql`t.operator_id` as Fragment, sent)),
  ...when(query.department_id, sent => oneOf(sql, sql`t.department_id` as Fragment, sent)),
  ...when(query.external_id, sent => sql`t.external_id = ${sent}` as Fragment),
  (query.is_spam ? sql`t.is_spam` : sql`not t.is_spam`) as Fragment,
]

/** What was closed or last moved before a time was created before it too: then an index on that has a bound. */
export function timeFilters(sql: Sql, query: TicketQuery): Fragment[] {
  const created = sql`t.created_at` as Fragment
  return [
    ...timeRange(sql, created, query.created_after, query.created_before),
    ...timeRange(sql, created, undefined, query.updated_before),
    ...timeRange(sql, created, undefined, query.closed_before),
    ...timeRange(sql, sql`t.closed_at` as Fragment, query.closed_after, query.closed_before),
  ]
}

export const activityFilters = (sql: Sql, query: TicketQuery): Fragment[] =>
  timeRange(sql, sql`a.updated_at` as Fragment, query.updated_after, query.updated_before)

/** What was created or closed after a time moved after it too: the order by activity then has a bound. */
export const movedSince = (sql: Sql, query: TicketQuery): Fragment[] => [
  ...timeRange(sql, sql`a.updated_at` as Fragment, query.created_after),
  ...timeRange(sql, sql`a.updated_at` as Fragment, query.closed_after),
]
