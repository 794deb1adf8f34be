import { createProjectBatch } from '../../core/db/batch.ts'
import type { Db, Sql } from '../../core/db/db.ts'
import { notifyPresence } from '../../events/notifier.ts'
import { tabTimeout, typingTime } from '../../live/live.ts'

/** Open widgets, and what each shows. */

export interface VisitorTabRow {
  project_id: string
  visitor_id: string
  tab: string
  stream: string
}

/** What a tab shows. Fields that are missing do not change. */
export interface VisitorTabState {
  projectId: string
  visitorId: string
  tab: string
  is_watching: boolean | null
  ticket_id: string | null
  is_typing: boolean | null
}

export const insertVisitorTab = (sql: Sql, row: VisitorTabRow) => sql`
  insert into visitor_tabs ${sql(row)}
  on conflict (project_id, visitor_id, tab) do update set stream = excluded.stream, seen_at = excluded.seen_at`

/** Locks rows in one order. A tab that has been silent too long is about to be deleted and is not updated. */
const updateTabs = (sql: Sql, projectId: string, sights: VisitorTabState[]) => sql<
  { n: number; is_changed: boolean }[]
>`
  with asked as (
    select * from unnest(${sights.map(one => one.visitorId)}::uuid[], ${sights.map(one => one.tab)}::uuid[],
      ${sights.map(one => one.is_watching?.toString() ?? null)}::text[]::boolean[],
      ${sights.map(one => one.ticket_id)}::uuid[],
      ${sights.map(one => one.is_typing?.toString() ?? null)}::text[]::boolean[])
      with ordinality as a (visitor_id, tab, is_watching, ticket_id, is_typing, n)
  ), before as (
    select a.*, coalesce(a.is_watching, t.is_watching) as watches,
      (t.is_watching, t.ticket_id, (t.typing_until > now()) is true) is distinct from
        (coalesce(a.is_watching, t.is_watching), a.ticket_id,
          (a.is_typing or a.is_typing is null and t.typing_until > now()) is true) as is_changed
    from asked a join visitor_tabs t using (visitor_id, tab) where t.project_id = ${projectId}
    order by visitor_id, tab for no key update of t
  ), seen as (
    update visitor_tabs t set is_watching = b.watches, ticket_id = b.ticket_id, seen_at = now(),
      typing_until = greatest(now() + nullif(b.is_typing, false)::int * ${typingTime}::text::interval,
        case when b.is_typing is null then t.typing_until end)
    from before b where t.project_id = ${projectId} and t.visitor_id = b.visitor_id and t.tab = b.tab
  ) select n::int, is_changed from before`

const nameOf = ({ visitorId, tab }: VisitorTabState): string => `${visitorId} ${tab}`

/** Returns whether the tab is open. Concurrent updates in a project are one statement; the last one of a tab counts. */
export function createVisitorTabUpdates(db: Db): (sight: VisitorTabState) => Promise<boolean> {
  const write = createProjectBatch(
    async (projectId, sights: VisitorTabState[]) => {
      const last = [...new Map(sights.map(sight => [nameOf(sight), sight])).values()]
      const rows = new Map(
        (await updateTabs(db, projectId, last)).map(row => [nameOf(last[row.n - 1]!), row]),
      )
      return sight => rows.get(nameOf(sight))
    },
    ({ projectId }) => projectId,
  )
  return async sight => {
    const seen = await write(sight)
    if (seen?.is_changed) notifyPresence(sight.projectId)
    return seen !== undefined
  }
}

export const deleteVisitorTabs = (sql: Sql, projectId: string, tabs: VisitorTabRow[]) => sql`
  delete from visitor_tabs t
  using unnest(${tabs.map(one => one.stream)}::uuid[], ${tabs.map(one => one.visitor_id)}::uuid[])
    as gone (stream, visitor_id)
  where t.project_id = ${projectId} and t.visitor_id = gone.visitor_id and t.stream = gone.stream`

/** Whether a person who may see this ticket has the chat open: the visitor who started it, or the contact on any device. */
export async function isWatched(
  sql: Sql,
  projectId: string,
  ticket: { contact_id: string; visitor_id: string | null; is_typed: boolean; id: string },
): Promise<boolean> {
  const { count } = await sql`
    select from (
      select ${ticket.visitor_id}::uuid as id
      union all
      select v.id from contacts c join visitors v on v.project_id = c.project_id and v.contact_id = c.id
      where c.project_id = ${projectId} and ((v.is_verified and not ${ticket.is_typed}) or v.ticket_id = ${ticket.id})
        and (c.id = ${ticket.contact_id} or c.merged_into_id = ${ticket.contact_id})
    ) v join visitor_tabs o on o.project_id = ${projectId} and o.visitor_id = v.id
    where o.is_watching and o.seen_at > now() - ${tabTimeout}::text::interval limit 1`
  return count > 0
}
