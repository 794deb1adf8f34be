import { anyId, type Fragment, type Sql, unprepared, updateVersioned } from '../core/db/db.ts'
import type { Marks, View, ViewFilters } from './schema.ts'

/** One more than is ever shown, to know whether there are more. */
export const maxCountedTickets = 1_001
/** The same for a saved view. */
export const maxCountedInSavedView = 100

/** The same text as in the indexes tickets_waiting_…, so that Postgres uses them. */
const waiting = (sql: Sql): Fragment => sql`status <> 'closed' and not is_spam and snoozed_until is null`

const countUpTo = (sql: Sql, rows: Fragment): Fragment =>
  sql`(select count(*)::int from (${rows} limit ${maxCountedTickets}) counted)`

export interface ViewCounts {
  mine: number
  unassigned: number
  mentions: number
  open: number
  closed: number
  snoozed: number
  spam: number
}

export async function countViews(sql: Sql, projectId: string, operatorId: string): Promise<ViewCounts> {
  const those = (condition: Fragment): Fragment =>
    countUpTo(sql, sql`select from tickets where project_id = ${projectId} and ${condition}`)
  const mentioned = sql`
    select distinct m.ticket_id from mentions x
    join messages m on m.project_id = x.project_id and m.id = x.message_id and m.delivery_status <> 'scheduled'
    where x.project_id = ${projectId} and x.operator_id = ${operatorId} and x.read_at is null`
  const [counts] = await unprepared(sql<ViewCounts[]>`
    select ${those(sql`operator_id = ${operatorId} and ${waiting(sql)}`)} as mine,
      ${those(sql`operator_id is null and ${waiting(sql)}`)} as unassigned,
      ${countUpTo(sql, mentioned)} as mentions,
      ${those(waiting(sql))} as open,
      ${those(sql`status = 'closed' and not is_spam`)} as closed,
      ${those(sql`snoozed_until is not null and not is_spam`)} as snoozed,
      ${those(sql`is_spam`)} as spam`)
  return counts!
}

/** The departments of a person, or all departments for owners and admins. */
export const countDepartments = (sql: Sql, projectId: string, operatorId: string) =>
  unprepared(sql<{ id: string; name: string; count: number }[]>`
    select d.id, d.name, (
        select count(*)::int from (
          select from tickets where project_id = ${projectId} and department_id = d.id and ${waiting(sql)}
          limit ${maxCountedTickets}) counted) as count
    from departments d where d.project_id = ${projectId} and (
      exists (
        select from department_operators m
        where m.project_id = ${projectId} and m.department_id = d.id and m.operator_id = ${operatorId})
      or exists (
        select from operators o
        where o.project_id = ${projectId} and o.id = ${operatorId} and o.role in ('owner', 'admin')))
    order by lower(d.name)`)

export interface SavedView extends Pick<View, 'columns' | 'density' | 'layout'> {
  id: string
  owner_id: string
  name: string
  filters: ViewFilters
  is_shared: boolean
  department_id: string | null
  position: number
  created_at: string
  version: number
}

const columns = (sql: Sql): Fragment =>
  sql`id, owner_id, name, filters, is_shared, department_id, columns, density, layout, position, created_at, version`

/** The saved views that a person can see: their own, shared ones, and those of their departments; owners and admins see those of all. */
const isVisible = (sql: Sql, projectId: string, operatorId: string): Fragment =>
  sql`(v.owner_id = ${operatorId} or v.is_shared or v.department_id is not null and (
    exists (
      select from department_operators m
      where m.project_id = ${projectId} and m.department_id = v.department_id and m.operator_id = ${operatorId})
    or exists (
      select from operators o
      where o.project_id = ${projectId} and o.id = ${operatorId} and o.role in ('owner', 'admin'))))`

export const listSavedViews = (sql: Sql, projectId: string, operatorId: string) => sql<SavedView[]>`
  select ${columns(sql)} from saved_views v
  where v.project_id = ${projectId} and ${isVisible(sql, projectId, operatorId)}
  order by position, created_at, id`

export async function findSavedView(sql: Sql, projectId: string, operatorId: string, id: string) {
  const [row] = await sql<SavedView[]>`
    select ${columns(sql)} from saved_views v
    where v.project_id = ${projectId} and v.id = ${id} and ${isVisible(sql, projectId, operatorId)}`
  return row ?? null
}

export async function lockSavedView(sql: Sql, projectId: string, operatorId: string, id: string) {
  const [row] = await sql<SavedView[]>`
    select ${columns(sql)} from saved_views v
    where v.project_id = ${projectId} and v.id = ${id} and ${isVisible(sql, projectId, operatorId)} for no key update of v`
  return row ?? null
}

/** The number of saved views that a person can see. */
export async function countSavedViews(sql: Sql, projectId: string, operatorId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from saved_views v
    where v.project_id = ${projectId} and ${isVisible(sql, projectId, operatorId)}`
  return row!.count
}

/** Inserts the view after those that its owner can see. */
export const insertView = (
  sql: Sql,
  projectId: string,
  view: Omit<SavedView, 'position' | 'created_at' | 'version'>,
) => sql`
  insert into saved_views (project_id, id, owner_id, name, filters, is_shared, department_id, columns, density, layout, position)
  select ${projectId}, ${view.id}, ${view.owner_id}, ${view.name}, ${view.filters}, ${view.is_shared}, ${view.department_id},
    ${view.columns}::text[], ${view.density}, ${view.layout}, coalesce(max(position) + 1, 0)
  from saved_views v where v.project_id = ${projectId} and ${isVisible(sql, projectId, view.owner_id)}`

export const updateView = (
  sql: Sql,
  projectId: string,
  id: string,
  fields: Partial<Omit<SavedView, 'id' | 'owner_id' | 'created_at' | 'version'>>,
) => sql`${updateVersioned(sql, 'saved_views', fields)} where project_id = ${projectId} and id = ${id}`

export const deleteView = (sql: Sql, projectId: string, id: string) => sql`
  delete from saved_views where project_id = ${projectId} and id = ${id}`

interface MarksRow extends Omit<Marks, 'draft_preview'> {
  ticket_id: string
  draft_content: string | null
  draft_format: 'text' | 'markdown' | 'html' | null
}

/** How much of some tickets a person has not read, their drafts, and who wrote the last message. Messages from before they joined and imported messages count as read. */
export const listMarks = (sql: Sql, projectId: string, operatorId: string, ids: string[]) => sql<MarksRow[]>`
  select ticket_id, is_unread, greatest(unread.count, is_unread::int) as unread_count,
    draft.content is not null as has_draft, draft.content as draft_content, draft.content_format as draft_format, author.author as last_message_author
  from (
    select a.ticket_id, a.last_message_id, coalesce(r.last_read_message_at, greatest(o.created_at, a.imported_until)) as mark,
      coalesce(a.last_message_at > coalesce(r.last_read_message_at, greatest(o.created_at, a.imported_until)), false) as is_unread
    from ticket_activity a
    join operators o on o.project_id = a.project_id and o.id = ${operatorId}
    left join ticket_reads r on r.project_id = a.project_id and r.ticket_id = a.ticket_id and r.operator_id = o.id
    where a.project_id = ${projectId} and a.ticket_id = ${anyId(sql, ids)}
  ) s cross join lateral (
    select count(*)::int as count from (
      select from messages m where s.is_unread and m.project_id = ${projectId} and m.ticket_id = s.ticket_id
        and m.created_at > s.mark and m.sender_type <> 'system' and m.delivery_status <> 'scheduled'
        and m.sender_id is distinct from ${operatorId} limit 100) m
  ) unread left join lateral (
    select left(d.content, 2000) as content, d.content_format from drafts d
    where d.project_id = ${projectId} and d.ticket_id = s.ticket_id and d.operator_id = ${operatorId}
    order by d.updated_at desc limit 1
  ) draft on true left join lateral (
    select jsonb_build_object('id', m.sender_id, 'name', m.sender_name, 'is_internal', m.is_internal) as author
    from messages m where m.project_id = ${projectId} and m.id = s.last_message_id
  ) author on true`
