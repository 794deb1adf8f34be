import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import type { Listed } from '../core/paging/paging.ts'
import type { Ticket } from '../tickets/schema.ts'
import { getTicket, searchTickets } from '../tickets/tickets.ts'
import { readListQuery } from './find.ts'
import { listMarks } from './queries.ts'
import type { ListedTicket, ViewListQuery } from './schema.ts'

const unknown = { is_unread: false, unread_count: 0, has_draft: false, draft_preview: null }

async function mark(sql: Sql, { project, actor }: Caller, tickets: Ticket[]): Promise<ListedTicket[]> {
  const ids = tickets.map(({ id }) => id)
  const rows = ids.length ? await listMarks(sql, project.id, actor.id, ids) : []
  const marks = new Map(rows.map(({ ticket_id, ...row }) => [ticket_id, row]))
  return tickets.map(ticket => ({ ...ticket, ...(marks.get(ticket.id) ?? unknown) }))
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
