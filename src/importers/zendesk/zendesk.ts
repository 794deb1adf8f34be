import type { CustomField } from '../../custom-fields/schema.ts'
import { countImportedMessages } from '../../imports/imports.ts'
import type { ImportContext, Importer, ImportItem } from '../importer.ts'
import { readAhead } from '../read-ahead.ts'
import { createZendeskClient, type ZendeskAccess, type ZendeskClient } from './client.ts'
import { listCustomers, mapTicket, statusOf, type ZendeskNames } from './map-ticket.ts'
import { contactOfUser, isAgent } from './map-user.ts'
import { readComments } from './read-comments.ts'
import {
  fieldPage,
  groupPage,
  type TicketPage,
  ticketPage,
  userPage,
  type ZendeskField,
  type ZendeskMetric,
  type ZendeskTicket,
  type ZendeskUser,
} from './records.ts'

/** Imports users, tickets, comments and files through the Zendesk API. */

/** How many tickets are read at once. Zendesk allows 200 to 2,500 calls a minute, and says when to wait. */
const ahead = 4
const maxFirst = 100

const byId = <T extends { id: number }>(list: Iterable<T>): Map<number, T> =>
  new Map([...list].map(one => [one.id, one]))

async function listGroups(client: ZendeskClient): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (let after = ''; ; ) {
    const page = await client.get(`/api/v2/groups.json?page[size]=100${after}`, groupPage)
    for (const { id, name } of page.groups) found.set(id, name)
    if (!page.meta.has_more || !page.meta.after_cursor) return found
    after = `&page[after]=${encodeURIComponent(page.meta.after_cursor)}`
  }
}

async function listFields(client: ZendeskClient): Promise<Map<number, ZendeskField>> {
  const found: ZendeskField[] = []
  for (let after = ''; ; ) {
    const page = await client.get(`/api/v2/ticket_fields.json?page[size]=100${after}`, fieldPage)
    found.push(...page.ticket_fields)
    if (!page.meta.has_more || !page.meta.after_cursor) return byId(found)
    after = `&page[after]=${encodeURIComponent(page.meta.after_cursor)}`
  }
}

interface Reading {
  context: ImportContext
  client: ZendeskClient
  names: ZendeskNames
}

const contactItems = (users: Iterable<ZendeskUser>): ImportItem[] =>
  listCustomers(users).map(one => ({ kind: 'contact', item: contactOfUser(one) }))

/** Yields the customers, and remembers the agents. */
async function* readUsers({ client, names }: Reading): AsyncGenerator<ImportItem> {
  for (let next = 'start_time=0'; ; ) {
    const page = await client.get(`/api/v2/incremental/users/cursor.json?per_page=1000&${next}`, userPage)
    for (const user of page.users.filter(isAgent)) names.agents.set(user.id, user)
    yield* contactItems(page.users)
    if (page.end_of_stream || !page.after_cursor) return
    next = `cursor=${encodeURIComponent(page.after_cursor)}`
  }
}

const skip = (id: number, reason: string): ImportItem => ({ kind: 'skipped', source_id: String(id), reason })

async function* readTicket(
  { context, client, names }: Reading,
  ticket: ZendeskTicket,
  users: Map<number, ZendeskUser>,
  metric: ZendeskMetric | undefined,
): AsyncGenerator<ImportItem> {
  if (ticket.status === 'deleted') return yield skip(ticket.id, 'deleted')
  if (statusOf(ticket) === null) return yield skip(ticket.id, 'unknown_status')
  if (!ticket.requester_id) return yield skip(ticket.id, 'no_requester')
  const read = await readComments({ context, client, agents: names.agents }, ticket.id)
  if (!read) return yield skip(ticket.id, 'deleted')
  const mapped = mapTicket(ticket, users, metric, names)
  const requester = users.get(ticket.requester_id)
  const people = byId([...users.values(), ...read.users])
  // An agent who is the requester of a ticket is also imported as a contact.
  if (requester && isAgent(requester)) yield { kind: 'contact', item: contactOfUser(requester) }
  yield* contactItems(people.values())
  yield* mapped.unmapped
  yield* read.skipped
  yield { kind: 'ticket', item: { ...mapped.ticket, messages: read.messages.slice(0, maxFirst) } }
  for (const message of read.messages.slice(maxFirst))
    yield { kind: 'message', item: { ticket: String(ticket.id), ...message } }
}

async function* existing(messages: number): AsyncGenerator<ImportItem> {
  yield { kind: 'existing', messages }
}

/** Reads the tickets of a page, except those whose comments were all imported before. */
async function* readPage(reading: Reading, page: TicketPage) {
  const { db, projectId, source } = reading.context
  const ids = page.tickets.map(({ id }) => String(id))
  const known = await countImportedMessages(db, projectId, source, ids)
  const users = byId(page.users ?? [])
  const metrics = new Map((page.metric_sets ?? []).map(one => [one.ticket_id, one]))
  for (const ticket of page.tickets) {
    const imported = known.get(String(ticket.id))
    if (imported !== undefined && imported >= (ticket.comment_count ?? Number.POSITIVE_INFINITY))
      yield existing(imported)
    else yield readTicket(reading, ticket, users, metrics.get(ticket.id))
  }
}

async function* readTickets(reading: Reading) {
  const include = 'users,metric_sets,comment_count'
  for (let next = 'start_time=0'; ; ) {
    const path = `/api/v2/incremental/tickets/cursor.json?per_page=1000&include=${include}&${next}`
    const page = await reading.client.get(path, ticketPage)
    yield* readPage(reading, page)
    if (page.end_of_stream || !page.after_cursor) return
    next = `cursor=${encodeURIComponent(page.after_cursor)}`
  }
}

export function importZendesk(access: ZendeskAccess): Importer {
  return {
    total: null,
    async *read(context) {
      const client = createZendeskClient(access, context.signal)
      const targets = await context.db<CustomField[]>`
        select key, label, type, options from custom_fields where project_id = ${context.projectId} and record = 'ticket'`
      const [groups, fields] = [await listGroups(client), await listFields(client)]
      const reading = { context, client, names: { groups, fields, agents: new Map(), targets } }
      yield* readUsers(reading)
      yield* readAhead(readTickets(reading), ahead)
    },
  }
}
