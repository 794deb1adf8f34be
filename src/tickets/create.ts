import { lockUsage } from '../billing/billing.ts'
import { requireIdentifier, upsertContact } from '../contacts/contacts.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { mergeFields } from '../core/fields.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import { type Store, type Tx, transact } from '../events/transaction.ts'
import {
  addMessage,
  draftMessage,
  giveMedia,
  previewOf,
  requireContent,
  requireMedia,
  type TakenMedia,
  takeMedia,
} from '../messages/messages.ts'
import { findDepartment, findOperator } from '../operators/operators.ts'
import { rememberTags } from '../tags/tags.ts'
import { byCaller } from './close.ts'
import { getTicket } from './find.ts'
import { insertTicket, type TicketInsert } from './queries.ts'
import type { NewTicket, Ticket } from './schema.ts'

export async function requireRoom(tx: Tx): Promise<void> {
  const usage = await lockUsage(tx, tx.projectId)
  if (usage.limit !== null && usage.used >= usage.limit)
    throw new ApiError('TICKET_LIMIT_REACHED', { ...usage })
}

async function requireAssignee(tx: Tx, { department_id, operator_id }: NewTicket): Promise<void> {
  const isGiven = (id: string | null | undefined): id is string => id !== null && id !== undefined
  if (isGiven(department_id) && !(await findDepartment(tx, tx.projectId, department_id))) {
    throw refuse('department_id', 'not_found')
  }
  if (isGiven(operator_id) && !(await findOperator(tx, tx.projectId, operator_id))) {
    throw refuse('operator_id', 'not_found')
  }
}

const subjectOf = ({ subject, content, content_format = 'text' }: NewTicket): string =>
  subject?.trim() ||
  (content && [...previewOf(content, content_format)].slice(0, 80).join('')) ||
  'New request'

const closedFields = (caller: Caller, at: string) => ({
  closed_at: at,
  closed_by: { ...byCaller(caller) },
  resolution_secs: 0,
})

function toInsert(input: NewTicket, contactId: string, caller: Caller, createdAt: string): TicketInsert {
  const status = input.status ?? 'new'
  const at = toDatabase(createdAt)
  return {
    id: newId(),
    subject: subjectOf(input),
    status,
    priority: input.priority ?? 'normal',
    channel: 'api',
    contact_id: contactId,
    operator_id: input.operator_id ?? null,
    department_id: input.department_id ?? null,
    tags: [...new Set(input.tags ?? [])],
    custom_fields: mergeFields({}, input.custom_fields ?? {}),
    external_id: input.external_id ?? null,
    language: input.contact.language ?? null,
    created_at: at,
    ...(status === 'closed' && closedFields(caller, at)),
  }
}

const hasMessage = ({ content, media_ids = [] }: NewTicket): boolean =>
  (content !== undefined && content !== null) || media_ids.length > 0

/** The contact's first words. */
async function addFirstMessage(
  tx: Tx,
  input: NewTicket,
  ticket: TicketInsert,
  media: TakenMedia['media'],
): Promise<void> {
  const draft = draftMessage({
    ticket_id: ticket.id,
    sender_type: 'contact',
    sender_id: ticket.contact_id,
    sender_name: input.contact.full_name ?? input.contact.email ?? null,
    content: input.content ?? '',
    content_format: input.content_format ?? 'text',
    media,
  })
  await addMessage(tx, draft)
  await giveMedia(tx, draft)
}

export function createTicket(store: Store, caller: Caller, input: NewTicket): Promise<Ticket> {
  const { project } = caller
  requireIdentifier(input.contact)
  return transact(store, project.id, async tx => {
    const contact = await upsertContact(tx, input.contact, 'api')
    if (contact.isBlocked) throw new ApiError('CONTACT_BLOCKED')
    // Locked before the project's counter, as everywhere; what is wrong with them is told in its turn.
    await rememberTags(tx, project.id, input.tags)
    const taken = await takeMedia(tx, input.media_ids ?? [])
    await requireRoom(tx)
    await requireAssignee(tx, input)
    if (hasMessage(input)) requireContent(input.content, input.media_ids)
    requireMedia(taken)
    const ticket = toInsert(input, contact.id, caller, now())
    await insertTicket(tx, project.id, ticket)
    tx.emit({
      type: 'ticket.created',
      data: {
        ticket_id: ticket.id,
        status: ticket.status,
        priority: ticket.priority,
        contact_id: contact.id,
        subject: ticket.subject,
      },
    })
    if (hasMessage(input)) await addFirstMessage(tx, input, ticket, taken.media)
    return getTicket(tx, project.id, ticket.id)
  })
}
