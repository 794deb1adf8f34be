import { type Fragment, type Sql, unprepared } from '../core/db/db.ts'
import { parseTime, toDatabase } from '../core/time.ts'
import { maxCountedTickets } from './queries.ts'
import type { Day } from './schema.ts'

/** The departments of which a person is a member. */
export async function listOwnDepartments(sql: Sql, projectId: string, operatorId: string): Promise<string[]> {
  const rows = await sql<{ department_id: string }[]>`
    select department_id from department_operators
    where project_id = ${projectId} and operator_id = ${operatorId} order by department_id`
  return rows.map(row => row.department_id)
}

/** The same text as in the indexes tickets_waiting_…, so that Postgres uses them. */
const isWaiting = (sql: Sql): Fragment =>
  sql`t.status <> 'closed' and not t.is_spam and t.snoozed_until is null`

const isUnassignedIn = (sql: Sql, departments: string[] | null): Fragment =>
  departments
    ? sql`t.operator_id is null and t.department_id = any(${departments}::uuid[])`
    : sql`t.operator_id is null`

const countUpTo = (sql: Sql, rows: Fragment): Fragment =>
  sql`(select count(*)::int from (${rows} limit ${maxCountedTickets}) counted)`

const at = (time: string): string => toDatabase(parseTime(time)!)

interface Range {
  departments: string[] | null
  from: string
  until: string
  late: string
}

/** Counts in one statement what the first screen shows, in its order. */
export async function countDay(
  sql: Sql,
  projectId: string,
  operatorId: string,
  { departments, from, until, late }: Range,
): Promise<{ kind: Day['items'][number]['kind']; count: number }[]> {
  const those = (condition: Fragment): Fragment =>
    countUpTo(sql, sql`select from tickets t where t.project_id = ${projectId} and ${condition}`)
  const mentioned = sql`
    select distinct t.id from mentions x
    join messages m on m.project_id = ${projectId} and m.id = x.message_id and m.delivery_status <> 'scheduled'
    join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id and not t.is_spam
    where x.project_id = ${projectId} and x.operator_id = ${operatorId} and x.read_at is null`
  const overdue = sql`
    select from tickets t join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id
    where t.project_id = ${projectId} and ${isWaiting(sql)} and a.waiting_since < ${at(late)}::timestamptz`
  const [row] = await unprepared(sql<{ counts: number[] }[]>`
    select array[${those(sql`t.operator_id = ${operatorId} and ${isWaiting(sql)}`)},
      ${those(sql`${isUnassignedIn(sql, departments)} and ${isWaiting(sql)}`)},
      ${countUpTo(sql, mentioned)},
      ${countUpTo(sql, overdue)},
      ${those(sql`t.snoozed_until < ${at(until)}::timestamptz and t.operator_id = ${operatorId} and not t.is_spam`)},
      ${those(sql`t.closed_at >= ${at(from)}::timestamptz and t.status = 'closed' and not t.is_spam
        and t.closed_by ->> 'type' = 'operator' and t.closed_by ->> 'id' = ${operatorId}`)}] as counts`)
  const kinds = ['mine', 'my_departments', 'unread_mentions', 'late', 'my_snoozed', 'my_closed'] as const
  return kinds.map((kind, place) => ({ kind, count: row!.counts[place]! }))
}

/** Of the tickets that wait for a reply, the person's own come first, and then those that have waited longest. */
export async function findNextTicket(
  sql: Sql,
  projectId: string,
  operatorId: string,
  departments: string[] | null,
): Promise<{ id: string; is_own: boolean } | null> {
  const first = (condition: Fragment): Fragment => sql`(
    select t.id, a.waiting_since, t.operator_id is not null as is_own from tickets t
    join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id
    where t.project_id = ${projectId} and ${condition} and ${isWaiting(sql)} and a.waiting_since is not null
    order by a.waiting_since, t.id limit 1)`
  const [row] = await unprepared(sql<{ id: string; is_own: boolean }[]>`
    select id, is_own from (
      ${first(sql`t.operator_id = ${operatorId}`)}
      union all ${first(isUnassignedIn(sql, departments))}
    ) found order by is_own desc limit 1`)
  return row ?? null
}
