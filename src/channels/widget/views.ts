import { anyId, type Fragment, type Sql } from '../../core/db/db.ts'
import { loadVisitorTickets, type OwnedTicket } from './records.ts'
import { ownPart } from './visitor.ts'

/** Tickets for all visitors who may see them. Of a merged ticket, some visitors may see only a part. */

/** Loads merged tickets twice: for visitors who may see the whole ticket, and for the visitor who started it. */
export async function loadViews(
  sql: Sql,
  projectId: string,
  condition: Fragment,
  limit?: number,
): Promise<OwnedTicket[]> {
  const found = await loadVisitorTickets(sql, projectId, condition, sql`true`, limit)
  const ids = found.filter(({ owner }) => owner.is_divided).map(({ owner }) => owner.id)
  if (ids.length === 0) return found
  const own = await loadVisitorTickets(
    sql,
    projectId,
    sql`t.id = ${anyId(sql, ids)}`,
    ownPart(sql, projectId),
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

/** Those of these messages that the visitor who started the ticket may not see. */
export async function listForeign(sql: Sql, projectId: string, ids: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select m.id from messages m
    join widget_tickets w on w.project_id = m.project_id and w.ticket_id = m.ticket_id
    where m.project_id = ${projectId} and m.id = ${anyId(sql, ids)} and not ${ownPart(sql, projectId)}`
  return new Set(rows.map(({ id }) => id))
}
