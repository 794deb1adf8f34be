import type { Sql } from '../core/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { fillText } from '../core/placeholders.ts'
import type { Ticket } from '../tickets/schema.ts'
import { getTicket } from '../tickets/tickets.ts'
import { getAnswer } from './canned-answers.ts'
import { firstNameOf } from './first-name.ts'
import { isPlaceholder, type PlaceholderName } from './placeholders.ts'
import type { FilledAnswer } from './schema.ts'

type Value = (ticket: Ticket, caller: Caller) => string | null

const values: Record<PlaceholderName, Value> = {
  'contact.full_name': ({ contact }) => contact.full_name,
  'contact.first_name': ({ contact }) => firstNameOf(contact.full_name),
  'contact.email': ({ contact }) => contact.email,
  'contact.phone': ({ contact }) => contact.phone,
  'operator.name': (_, { actor }) => (actor.type === 'operator' ? actor.name : null),
  'operator.first_name': (_, { actor }) => (actor.type === 'operator' ? firstNameOf(actor.name) : null),
  'ticket.short_id': ({ short_id }) => short_id,
  'ticket.subject': ({ subject }) => subject,
  'department.name': ({ department_name }) => department_name,
  'project.name': (_, { project }) => project.name,
}

export const fillContent = (content: string, ticket: Ticket, caller: Caller): FilledAnswer =>
  fillText(content, name => (isPlaceholder(name) ? values[name](ticket, caller) : undefined))

/** A canned answer with its placeholders filled in for a ticket. */
export async function fillAnswer(
  sql: Sql,
  caller: Caller,
  id: string,
  ticketReference: string,
): Promise<FilledAnswer> {
  const { content } = await getAnswer(sql, caller, id)
  return fillContent(content, await getTicket(sql, caller.project.id, ticketReference), caller)
}
