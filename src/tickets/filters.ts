import { conditionIf, hasFields, timeRange } from '../core/conditions.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { isId } from '../core/ids.ts'
import type { TicketSearch } from './schema.ts'

/** Where a ticket's columns are read: `t`, the ticket itself, or `a`, their copies beside its activity. */
export type Side = 't' | 'a'

/** What a list asks besides its filters, by where it is read. */
export interface Conditions {
  copied(side: Side): Fragment[]
  own: Fragment[]
  activity: Fragment[]
}

export interface Narrowed extends TicketSearch {
  conditions?: Conditions
}

export const columnOf =
  (sql: Sql, side: Side) =>
  (name: string): Fragment =>
    sql`${sql(`${side}.${name}`)}` as Fragment

/** A column that holds one of some ids; `none` is the empty one, and a word that is no id holds nothing. */
function oneOf(sql: Sql, column: Fragment, sent: string[]): Fragment {
  const isOne = sql`${column} = any(${sent.filter(isId) as never}::uuid[])`
  return (sent.includes('none') ? sql`(${column} is null or ${isOne})` : isOne) as Fragment
}

/** One word is compared directly, so that an index on it also gives the order. */
export const wordOf = (sql: Sql, column: Fragment, sent: string[]): Fragment =>
  (sent.length === 1
    ? sql`${column} = ${sent[0]!}`
    : sql`${column} = any(${sent as never}::text[])`) as Fragment

/** Only what is closed has been closed: asked for anything else too, the planner sees that there is nothing. */
function timeFilters(sql: Sql, of: (name: string) => Fragment, query: TicketSearch): Fragment[] {
  const closed = timeRange(sql, of('closed_at'), query.closed_after, query.closed_before)
  return [
    ...timeRange(sql, of('created_at'), query.created_after, query.created_before),
    ...closed,
    ...(closed.length ? [sql`${of('status')} = 'closed'` as Fragment] : []),
  ]
}

/** Filters on what the activity has copies of. */
export function copiedFilters(sql: Sql, side: Side, query: Narrowed): Fragment[] {
  const of = columnOf(sql, side)
  return [
    ...conditionIf(query.status, sent => wordOf(sql, of('status'), sent)),
    ...conditionIf(query.priority, sent => wordOf(sql, of('priority'), sent)),
    ...conditionIf(query.channel, sent => wordOf(sql, of('channel'), sent)),
    ...conditionIf(query.operator_id, sent => oneOf(sql, of('operator_id'), sent)),
    ...conditionIf(query.department_id, sent => oneOf(sql, of('department_id'), sent)),
    (query.is_spam ? of('is_spam') : sql`not ${of('is_spam')}`) as Fragment,
    ...timeFilters(sql, of, query),
    ...(query.conditions?.copied(side) ?? []),
  ]
}

const isMentioned = (sql: Sql, operatorId: string): Fragment =>
  sql`t.id in (select m.ticket_id from mentions x
    join messages m on m.project_id = x.project_id and m.id = x.message_id and m.delivery_status <> 'scheduled'
    where x.project_id = t.project_id and x.operator_id = ${operatorId})` as Fragment

/** Whoever joins begins with what is written then. */
export const isUnread = (sql: Sql, operatorId: string): Fragment =>
  sql`a.last_message_at > coalesce(
    (select r.last_read_message_at from ticket_reads r
      where r.project_id = a.project_id and r.ticket_id = a.ticket_id and r.operator_id = ${operatorId}),
    (select o.created_at from operators o where o.project_id = a.project_id and o.id = ${operatorId}))` as Fragment

/** Whatever has a rating has its time, by which the index of rated tickets goes. */
function ratingFilters(sql: Sql, { rating, rated_after, rated_before }: TicketSearch): Fragment[] {
  const asked = [
    ...conditionIf(rating, sent => sql`t.rating = any(${sent as never}::int[])` as Fragment),
    ...timeRange(sql, sql`t.rated_at` as Fragment, rated_after, rated_before),
  ]
  return asked.length ? [...asked, sql`t.rated_at is not null` as Fragment] : []
}

/** Filters on what only the ticket has. */
export const ownFilters = (sql: Sql, query: Narrowed): Fragment[] => [
  ...conditionIf(query.tag, sent => sql`t.tags && ${sent as never}::text[]` as Fragment),
  ...conditionIf(query.contact_id, sent => oneOf(sql, sql`t.contact_id` as Fragment, sent)),
  ...conditionIf(
    query.is_snoozed,
    on => (on ? sql`t.snoozed_until is not null` : sql`t.snoozed_until is null`) as Fragment,
  ),
  ...conditionIf(query.mentioned_id, id => isMentioned(sql, id)),
  ...ratingFilters(sql, query),
  ...hasFields(sql, sql`t.custom_fields` as Fragment, query.custom_fields ?? {}),
  ...conditionIf(
    query.merged,
    on => (on ? sql`t.merged_into_id is not null` : sql`t.merged_into_id is null`) as Fragment,
  ),
  ...conditionIf(query.external_id, sent => sql`t.external_id = ${sent}` as Fragment),
  ...(query.conditions?.own ?? []),
]

export const activityFilters = (sql: Sql, query: Narrowed): Fragment[] => [
  ...timeRange(sql, sql`a.updated_at` as Fragment, query.updated_after, query.updated_before),
  ...conditionIf(query.unread_by, id => isUnread(sql, id)),
  ...(query.conditions?.activity ?? []),
]

/** What was closed or last moved before a time was created before it too: a bound where indexes give the creation. */
export const createdBefore = (sql: Sql, side: Side, query: TicketSearch): Fragment[] =>
  [query.updated_before, query.closed_before].flatMap(time =>
    timeRange(sql, columnOf(sql, side)('created_at'), undefined, time),
  )

/** What was created or closed after a time moved after it too: a bound where indexes give the last move. */
export const movedSince = (sql: Sql, query: TicketSearch): Fragment[] =>
  [query.created_after, query.closed_after].flatMap(time =>
    timeRange(sql, sql`a.updated_at` as Fragment, time),
  )
