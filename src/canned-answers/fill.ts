import { findContactByEmail, getContact } from '../contacts/contacts.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { fillText } from '../core/text/placeholders.ts'
import { getTicket } from '../tickets/tickets.ts'
import { getAnswer } from './answers.ts'
import { firstNameOf } from './first-name.ts'
import { isPlaceholder, type PlaceholderName } from './placeholders.ts'
import type { AnswerFilling, FilledAnswer } from './schema.ts'

/** What a canned answer is filled in for: a ticket, or the first email of one. */
interface Source {
  contact: { full_name: string | null; email: string | null; phone: string | null }
  short_id: string | null
  subject: string | null
  department_name: string | null
}

type Value = (source: Source, caller: Caller) => string | null

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

async function findRecipient(sql: Sql, projectId: string, email: string | null): Promise<Source['contact']> {
  const id = email && (await findContactByEmail(sql, projectId, email))
  const contact = id ? await getContact(sql, projectId, id) : { full_name: null, phone: null }
  return { full_name: contact.full_name, email, phone: contact.phone }
}

async function readSource(sql: Sql, projectId: string, input: AnswerFilling): Promise<Source> {
  if (input.ticket_id !== undefined) return getTicket(sql, projectId, input.ticket_id)
  const contact = await findRecipient(sql, projectId, input.contact_email ?? null)
  return { contact, short_id: null, subject: input.subject ?? null, department_name: null }
}

/** A canned answer with its placeholders filled in. */
export async function fillAnswer(
  sql: Sql,
  caller: Caller,
  id: string,
  input: AnswerFilling,
): Promise<FilledAnswer> {
  const { content } = await getAnswer(sql, caller, id)
  const source = await readSource(sql, caller.project.id, input)
  return fillText(content, name => (isPlaceholder(name) ? values[name](source, caller) : undefined))
}
