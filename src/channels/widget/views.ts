import { anyId, type Fragment, type Sql } from '../../core/db.ts'
import { loadVisitorTickets, type OwnedTicket } from './records.ts'
import { ownPart } from './visitor.ts'

/** Tickets for all who see them, and what of a divided one only some see. */

/** Divided tickets twice: as those see them who see all of it, and as who began them does. */
export async function loadViews(
  sql: Sql,
  projectId: string,
  condition: Fragment,
  limit?: number,
): Promise<OwnedTicket[]> {
  const found = await loadVisitorTickets(sql, projectId, condition, sql`true` as Fragment, limit)
  const ids = found.filter(({ owner }) => owner.is_divided).map(({ owner }) => owner.id)
  if (ids.length === 0) return found
  const own = await loadVisitorTickets(
    sql,
    projectId,
    sql`t.id = ${anyId(sql, ids)}` as Fragment,
    ownPart(sql),
    limit,
  )
  return [
    ...found.map(one => (one.owner.is_divided ? withView(one, 'all') : one)),
    ...own.map(one => withView(one, 'own')),
  ]
}

const withView = ({ owner, ticket }: OwnedTicket, view: 'all' | 'own'): OwnedTicket => ({
  owner: { ...owner, view },
  ticket,
})

/** Of these messages those that are not shown to who began their ticket. */
export async function listForeign(sql: Sql, projectId: string, ids: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select m.id from messages m
    join widget_tickets w on w.project_id = m.project_id and w.ticket_id = m.ticket_id
    where m.project_id = ${projectId} and m.id = ${anyId(sql, ids)} and not ${ownPart(sql)}`
  return new Set(rows.map(({ id }) => id))
}
