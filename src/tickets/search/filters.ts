import { conditionIf, hasFields, timeRange } from '../../core/db/conditions.ts'
import type { Fragment, Sql } from '../../core/db/db.ts'
import { isId } from '../../core/ids.ts'
import type { TicketSearch } from '../schema.ts'

/** The table from which a ticket's columns are read: `t`, the ticket itself, or `a`, its activity, which has copies of them. */
export type Side = 't' | 'a'

/** Additional conditions of a list, by the table that they read. */
export interface Conditions {
  copied(side: Side): Fragment[]
  own: Fragment[]
  /** Those of `own` that no index can answer. */
  checked: Fragment[]
  activity: Fragment[]
}

export interface Narrowed extends TicketSearch {
  /** Conditions from `q` and from `conditions`. */
  more?: Conditions
  /** Whether the conditions say which tickets are spam. */
  namesSpam?: boolean
}

export const columnOf =
  (sql: Sql, side: Side) =>
  (name: string): Fragment =>
    sql`${sql(`${side}.${name}`)}`

/** Whether the column has one of these ids. `none` means null, and an invalid id matches nothing. */
function oneOf(sql: Sql, column: Fragment, sent: string[]): Fragment {
  const isOne = sql`${column} = any(${sent.filter(isId)}::uuid[])`
  return sent.includes('none') ? sql`(${column} is null or ${isOne})` : isOne
}

/** A single value is compared directly, so that an index on the column also gives the order. */
export const wordOf = (sql: Sql, column: Fragment, sent: string[]): Fragment =>
  sent.length === 1 ? sql`${column} = ${sent[0]!}` : sql`${column} = any(${sent}::text[])`

/** Only closed tickets have `closed_at`. The condition on `status` lets the planner see that no other status matches. */
function timeFilters(sql: Sql, of: (name: string) => Fragment, query: TicketSearch): Fragment[] {
  const closed = timeRange(sql, of('closed_at'), query.closed_after, query.closed_before)
  return [
    ...timeRange(sql, of('created_at'), query.created_after, query.created_before),
    ...closed,
    ...(closed.length ? [sql`${of('status')} = 'closed'`] : []),
  ]
}

/** Filters on columns of which the activity has copies. */
export function copiedFilters(sql: Sql, side: Side, query: Narrowed): Fragment[] {
  const of = columnOf(sql, side)
  return [
    ...conditionIf(query.status, sent => wordOf(sql, of('status'), sent)),
    ...conditionIf(query.priority, sent => wordOf(sql, of('priority'), sent)),
    ...conditionIf(query.channel, sent => wordOf(sql, of('channel'), sent)),
    ...conditionIf(query.operator_id, sent => oneOf(sql, of('operator_id'), sent)),
    ...conditionIf(query.department_id, sent => oneOf(sql, of('department_id'), sent)),
    query.namesSpam ? sql`true` : query.is_spam ? of('is_spam') : sql`not ${of('is_spam')}`,
    ...timeFilters(sql, of, query),
    ...(query.more?.copied(side) ?? []),
  ]
}

const isMentioned = (sql: Sql, projectId: string, operatorId: string, onlyUnread = false): Fragment =>
  sql`t.id in (select m.ticket_id from mentions x
    join messages m on m.project_id = x.project_id and m.id = x.message_id and m.delivery_status <> 'scheduled'
    where x.project_id = ${projectId} and x.operator_id = ${operatorId}${onlyUnread ? sql` and x.read_at is null` : sql``})`

/** For an operator who has not read the ticket, messages since they joined are unread, except imported ones. */
export const isUnread = (sql: Sql, projectId: string, operatorId: string): Fragment =>
  sql`a.last_message_at > coalesce(
    (select r.last_read_message_at from ticket_reads r
      where r.project_id = ${projectId} and r.ticket_id = a.ticket_id and r.operator_id = ${operatorId}),
    greatest(a.imported_until,
      (select o.created_at from operators o where o.project_id = ${projectId} and o.id = ${operatorId})))`

/** Every rated ticket has `rated_at`. The last condition makes the index of rated tickets usable. */
function ratingFilters(sql: Sql, { rating, rated_after, rated_before }: TicketSearch): Fragment[] {
  const asked = [
    ...conditionIf(rating, sent => sql`t.rating = any(${sent}::int[])`),
    ...timeRange(sql, sql`t.rated_at`, rated_after, rated_before),
  ]
  return asked.length ? [...asked, sql`t.rated_at is not null`] : []
}

/** Filters on columns that only the ticket has. */
export const ownFilters = (sql: Sql, projectId: string, query: Narrowed): Fragment[] => [
  ...conditionIf(query.ids, sent => oneOf(sql, sql`t.id`, sent)),
  ...conditionIf(query.tag, sent => sql`t.tags && ${sent}::text[]`),
  ...conditionIf(query.contact_id, sent => oneOf(sql, sql`t.contact_id`, sent)),
  ...conditionIf(
    query.organization_id,
    sent => sql`t.contact_id in (select c.id from contacts c
      where c.project_id = ${projectId} and c.organization_id = any(${sent.filter(isId)}::uuid[]))`,
  ),
  ...conditionIf(query.is_snoozed, on =>
    on ? sql`t.snoozed_until is not null` : sql`t.snoozed_until is null`,
  ),
  ...timeRange(sql, sql`t.snoozed_until`, undefined, query.snoozed_before),
  ...conditionIf(
    query.closed_by_id,
    id => sql`t.closed_by ->> 'type' = 'operator' and t.closed_by ->> 'id' = ${id}`,
  ),
  ...conditionIf(query.mentioned_id, id => isMentioned(sql, projectId, id, query.unread_mentions)),
  ...ratingFilters(sql, query),
  ...hasFields(sql, sql`t.custom_fields`, query.custom_fields ?? {}),
  ...conditionIf(query.merged, on =>
    on ? sql`t.merged_into_id is not null` : sql`t.merged_into_id is null`,
  ),
  ...conditionIf(query.external_id, sent => sql`t.external_id = ${sent}`),
  ...(query.more?.own ?? []),
]

export const activityFilters = (sql: Sql, projectId: string, query: Narrowed): Fragment[] => [
  ...timeRange(sql, sql`a.updated_at`, query.updated_after, query.updated_before),
  ...timeRange(sql, sql`a.waiting_since`, undefined, query.waiting_before),
  ...conditionIf(query.unread_by, id => isUnread(sql, projectId, id)),
  ...conditionIf(query.is_waiting, on =>
    on ? sql`a.waiting_since is not null` : sql`a.waiting_since is null`,
  ),
  ...(query.more?.activity ?? []),
]

/** A ticket that was closed or last changed before a time was also created before it, which limits a scan by `created_at`. */
export const createdBefore = (sql: Sql, side: Side, query: TicketSearch): Fragment[] =>
  [query.updated_before, query.closed_before].flatMap(time =>
    timeRange(sql, columnOf(sql, side)('created_at'), undefined, time),
  )

/** A ticket that was created or closed after a time was also changed after it, which limits a scan by `updated_at`. */
export const movedSince = (sql: Sql, query: TicketSearch): Fragment[] =>
  [query.created_after, query.closed_after].flatMap(time => timeRange(sql, sql`a.updated_at`, time))

/**
 * A range of another time than that of the order, if its tickets are at the end of the order. The creation is before every other
 * time and the last change after it, so a range of these two also limits the other times.
 */
export function farRange(
  sql: Sql,
  query: TicketSearch,
  { name, isDescending }: { name: string; isDescending: boolean },
): Fragment[] {
  const column = isDescending ? sql`a.created_at` : sql`a.updated_at`
  if (name === (isDescending ? 'created_at' : 'updated_at')) return []
  const isOwn = name === (isDescending ? 'updated_at' : 'created_at')
  const { created_after, created_before, closed_after, closed_before, updated_after, updated_before } = query
  const afters = [closed_after, updated_after, ...(isOwn ? [] : [created_after])]
  const befores = [closed_before, created_before, ...(isOwn ? [] : [updated_before])]
  return isDescending
    ? befores.flatMap(time => timeRange(sql, column, undefined, time))
    : afters.flatMap(time => timeRange(sql, column, time))
}
