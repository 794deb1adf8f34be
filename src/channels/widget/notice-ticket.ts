import type { Sql } from '../../core/db/db.ts'
import { typedOnly } from './visitor.ts'

/** The fields of a widget ticket that notices about replies need. */

export interface NoticeTicket {
  id: string
  number: number
  contact_id: string
  visitor_id: string | null
  is_typed: boolean
  external_id: string | null
  telegram_id: number | null
  surface: 'widget' | 'page'
  locale: string | null
  page_url: string | null
}

export async function findNoticeTicket(
  sql: Sql,
  projectId: string,
  ticketId: string,
): Promise<NoticeTicket | null> {
  const [row] = await sql<NoticeTicket[]>`
    select t.id, t.number, t.contact_id, w.visitor_id, ${typedOnly(sql, projectId)} as is_typed,
      c.external_id, c.telegram_id, w.surface, w.locale, w.page_url
    from widget_tickets w
    join tickets t on t.project_id = w.project_id and t.id = w.ticket_id
    join contacts c on c.project_id = t.project_id and c.id = t.contact_id
    where w.project_id = ${projectId} and w.ticket_id = ${ticketId}`
  return row ?? null
}
