import type { Fragment, Sql } from '../core/db/db.ts'
import { noteDueRows, type WaitingWork } from '../core/due/due-work.ts'
import { absenceInterval } from '../operators/operators.ts'

/** A tab that has reported nothing for this time counts as closed. */
export const tabTimeout = '45 seconds'

/** Typing ends after this time unless it is reported again. */
export const typingTimeout = '6 seconds'

const goneAt = (sql: Sql): Fragment => sql`seen_at + ${tabTimeout}::text::interval`

/** A tab with an open stream. */
export interface OperatorTabRow {
  project_id: string
  operator_id: string
  tab: string
  stream: string
}

/** What a tab currently shows. */
export interface TabState {
  projectId: string
  operatorId: string
  tab: string
  ticket_id: string | null
  is_typing: boolean
  is_internal: boolean
  is_visible: boolean
}

export const insertOperatorTab = (sql: Sql, row: OperatorTabRow) => sql`
  with opened as (
    insert into open_tabs ${sql(row)}
    on conflict (project_id, operator_id, tab) do update
      set stream = excluded.stream, seen_at = excluded.seen_at
    returning project_id, seen_at
  ) ${noteDueRows(sql, 'presence', sql`select project_id, project_id as subject_id, ${goneAt(sql)} as due_at from opened`)}`

interface Seen {
  /** Counted from 1. */
  n: number
  /** Whether the change is visible to others. */
  is_changed: boolean
  /** Whether the person is currently shown as absent. */
  is_away: boolean
}

/** Stores what several tabs show, and returns those that are open. Rows are locked in a fixed order. */
export const updateOperatorTabs = (sql: Sql, projectId: string, sights: TabState[]) => sql<Seen[]>`
  with asked as (
    select * from unnest(${sights.map(({ operatorId }) => operatorId)}::uuid[], ${sights.map(({ tab }) => tab)}::uuid[],
      ${sights.map(({ ticket_id }) => ticket_id)}::uuid[],
      ${sights.map(({ is_typing }) => String(is_typing))}::text[]::boolean[],
      ${sights.map(({ is_internal }) => String(is_internal))}::text[]::boolean[],
      ${sights.map(({ is_visible }) => String(is_visible))}::text[]::boolean[])
      with ordinality as a (operator_id, tab, ticket_id, is_typing, is_internal, is_visible, n)
  ), before as (
    select a.*, (t.ticket_id, (t.typing_until > now()) is true, t.is_internal)
        is distinct from (a.ticket_id, a.is_typing, a.is_internal) as is_changed
    from asked a join open_tabs t using (operator_id, tab) where t.project_id = ${projectId}
    order by operator_id, tab for no key update of t
  ), seen as (
    update open_tabs t set ticket_id = b.ticket_id, is_internal = b.is_internal, is_visible = b.is_visible, seen_at = now(),
      typing_until = now() + nullif(b.is_typing, false)::int * ${typingTimeout}::text::interval
    from before b where t.project_id = ${projectId} and t.operator_id = b.operator_id and t.tab = b.tab
  ) select n::int, is_changed, o.absent_since is not null or o.status <> o.chosen_status as is_away
  from before b join operators o on o.project_id = ${projectId} and o.id = b.operator_id`

/** Returns how many tabs it deleted. */
export const deleteOperatorTabs = (sql: Sql, projectId: string, tabs: OperatorTabRow[]) => sql`
  with closed as (
  delete from open_tabs t
  using unnest(${tabs.map(({ operator_id }) => operator_id)}::uuid[], ${tabs.map(({ tab }) => tab)}::uuid[],
    ${tabs.map(({ stream }) => stream)}::uuid[]) as gone (operator_id, tab, stream)
  where t.project_id = ${projectId} and t.operator_id = gone.operator_id and t.tab = gone.tab
    and t.stream = gone.stream
  returning t.project_id
  ), due as (
    ${noteDueRows(sql, 'presence', sql`select project_id, project_id as subject_id, now() as due_at from closed`)}
  ) select from closed`

export const deleteSilentOperatorTabs = (sql: Sql, projectId: string) => sql`
  delete from open_tabs where project_id = ${projectId} and seen_at < now() - ${tabTimeout}::text::interval`

/** Those of these streams that no longer have a tab. */
export const listClosedStreams = (sql: Sql, projectId: string, streams: string[]) => sql<
  { stream: string }[]
>`
  select s.stream from unnest(${streams}::uuid[]) as s (stream)
    left join open_tabs t on t.project_id = ${projectId} and t.stream = s.stream
  where t.stream is null`

/**
 * The operators who are present, what each views, where each types and who is about to send a reply, as JSON. For
 * each viewed ticket, also until when the contact has read it.
 */
export async function getPresence(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
  select jsonb_build_object(
    'operators', (
      select coalesce(jsonb_agg(jsonb_build_object('operator_id', id, 'status', status, 'status_text', status_text,
        'status_emoji', status_emoji) order by id), '[]')
      from operators where project_id = ${projectId} and status <> 'offline'),
    'tickets', (
      select coalesce(jsonb_agg(to_jsonb(v) order by ticket_id, operator_id), '[]') from (
        select ticket_id, operator_id, coalesce(bool_or(typing_until > now()), false) as is_typing,
          coalesce(bool_or(is_internal) filter (where typing_until > now()), false) as is_internal
        from open_tabs
        where project_id = ${projectId} and ticket_id is not null and seen_at > now() - ${tabTimeout}::text::interval
        group by ticket_id, operator_id
      ) v),
    'sending', (
      select coalesce(jsonb_agg(to_jsonb(w) order by ticket_id, operator_id), '[]') from (
        select distinct ticket_id, sender_id as operator_id from messages
        where project_id = ${projectId} and delivery_status = 'scheduled' and sender_type = 'operator' and not is_internal
          and send_at <= now() + interval '30 seconds'
      ) w),
    'visitors', (
      select coalesce(jsonb_agg(to_jsonb(v) order by ticket_id), '[]') from (
        select ticket_id, bool_or(is_watching) as is_watching,
          coalesce(bool_or(typing_until > now()), false) as is_typing
        from visitor_tabs
        where project_id = ${projectId} and ticket_id is not null and seen_at > now() - ${tabTimeout}::text::interval
        group by ticket_id
      ) v),
    'reads', (
      select coalesce(jsonb_agg(jsonb_build_object('ticket_id', ticket_id, 'read_at', read_at) order by ticket_id), '[]')
      from contact_reads r
      where r.project_id = ${projectId} and r.ticket_id in (
        select ticket_id from open_tabs
        where project_id = ${projectId} and seen_at > now() - ${tabTimeout}::text::interval))
  )::text as text`
  return row!.text
}

export interface AbsentRow {
  id: string
  /** Whether the absence was not recorded before. */
  is_new: boolean
}

/** Whether `operators o` is shown as present but has no open tab. */
const isAbsent = (sql: Sql, project: Fragment): Fragment =>
  sql`o.status <> 'offline' and not exists (
    select from open_tabs t where t.project_id = ${project} and t.operator_id = o.id
      and t.seen_at > now() - ${tabTimeout}::text::interval)`

/**
 * Operators who are shown as present but have no open tab: those newly absent, and those absent for longer than the grace period.
 */
export const listAbsent = (sql: Sql, projectId: string) => sql<AbsentRow[]>`
  select o.id, o.absent_since is null as is_new from operators o
  where o.project_id = ${projectId} and ${isAbsent(sql, sql`${projectId}`)}
    and (o.absent_since is null or o.absent_since < now() - ${absenceInterval}::text::interval)
  limit 500`

/** When the next tab may have become silent, and when the next grace period ends. */
export const waitingPresence: WaitingWork = sql =>
  sql`
  select project_id, ${goneAt(sql)} as due_at from open_tabs
  union all
  select o.project_id, coalesce(o.absent_since + ${absenceInterval}::text::interval, now()) from operators o
  where ${isAbsent(sql, sql`o.project_id`)}`
