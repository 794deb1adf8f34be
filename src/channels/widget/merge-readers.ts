import type { Sql } from '../../core/db/db.ts'
import { ApiError } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { MergeReaders } from './merge-schema.ts'

/** What a merge changes for visitors who have the two tickets in their chat. */

interface TicketStarter {
  id: string
  contact_id: string
  visitor_id: string | null
  /** Whether the visitor is proved to be the contact of the remaining ticket. */
  sees_all: boolean
}

const listTicketStarters = (sql: Sql, projectId: string, sourceId: string, targetId: string) => sql<
  TicketStarter[]
>`
  select t.id, t.contact_id, w.visitor_id, v.ticket_id is null and v.is_verified
      and coalesce(c.merged_into_id, v.contact_id) is not distinct from target.contact_id as sees_all
  from tickets t
  join tickets target on target.project_id = ${projectId} and target.id = ${targetId}
  left join widget_tickets w on w.project_id = ${projectId} and w.ticket_id = t.id
  left join visitors v on v.project_id = ${projectId} and v.id = w.visitor_id
  left join contacts c on c.project_id = ${projectId} and c.id = v.contact_id
  where t.project_id = ${projectId} and t.id in (${sourceId}, ${targetId})`

export async function findMergeReaders(
  sql: Sql,
  projectId: string,
  sourceId: string,
  targetId: string,
): Promise<MergeReaders> {
  const found =
    isId(sourceId) && isId(targetId) ? await listTicketStarters(sql, projectId, sourceId, targetId) : []
  const [source, target] = [sourceId, targetId].map(id => found.find(one => one.id === id))
  if (!source || !target) throw new ApiError('TICKET_NOT_FOUND')
  const isSameVisitor = source.visitor_id === target.visitor_id
  return {
    kept: target.visitor_id === null ? 'nobody' : isSameVisitor || target.sees_all ? 'all' : 'own',
    merged: source.visitor_id === null ? 'nobody' : isSameVisitor || source.sees_all ? 'all' : 'nothing',
  }
}
