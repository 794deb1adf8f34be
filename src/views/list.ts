import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import type { Listed } from '../core/paging/paging.ts'
import { previewOf } from '../messages/messages.ts'
import type { Ticket } from '../tickets/schema.ts'
import { getTicket, searchTickets } from '../tickets/tickets.ts'
import { listOfContacts } from './contact-queries.ts'
import { readListQuery } from './find.ts'
import { listMarks } from './queries.ts'
import type { ListedTicket, OfContact, ViewListQuery } from './schema.ts'

const unknown = {
  is_unread: false,
  unread_count: 0,
  has_draft: false,
  draft_preview: null,
  last_message_author: null,
}

const withoutContact: OfContact = { organization: null, contact_custom_fields: {} }

async function mark(sql: Sql, { project, actor }: Caller, tickets: Ticket[]): Promise<ListedTicket[]> {
  if (!tickets.length) return []
  const ids = tickets.map(({ id }) => id)
  const contactIds = [...new Set(tickets.map(({ contact_id }) => contact_id))]
  const [rows, contacts] = await Promise.all([
    listMarks(sql, project.id, actor.id, ids),
    listOfContacts(sql, project.id, contactIds),
  ])
  const marks = new Map(
    rows.map(({ ticket_id, draft_content, draft_format, ...row }) => [
      ticket_id,
      { ...row, draft_preview: draft_content && previewOf(draft_content, draft_format ?? 'markdown') },
    ]),
  )
  const ofContacts = new Map(contacts.map(({ contact_id, ...row }) => [contact_id, row]))
  return tickets.map(ticket => ({
    ...ticket,
    ...(marks.get(ticket.id) ?? unknown),
    ...(ofContacts.get(ticket.contact_id) ?? withoutContact),
  }))
}

/** The tickets of a person's list, each with how much of it they have not read. */
export async function listViewTickets(
  sql: Sql,
  caller: Caller,
  query: ViewListQuery,
): Promise<Listed<ListedTicket>> {
  const listed = await searchTickets(sql, caller.project.id, await readListQuery(sql, caller, query))
  return { ...listed, items: await mark(sql, caller, listed.items) }
}

export async function showTicket(sql: Sql, caller: Caller, reference: string): Promise<ListedTicket> {
  const [ticket] = await mark(sql, caller, [await getTicket(sql, caller.project.id, reference)])
  return ticket!
}
