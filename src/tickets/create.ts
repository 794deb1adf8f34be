import { lockUsage } from '../billing/billing.ts'
import type { Usage } from '../billing/schema.ts'
import { requireIdentifier, upsertContact } from '../contacts/contacts.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { mergeFields } from '../core/fields.ts'
import { newId } from '../core/ids.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'
import { now, toDatabase } from '../core/time.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import {
  type ChannelFields,
  lockMediaForMessage,
  outgoingChannels,
  requireContent,
  requireMedia,
  subjectOf,
} from '../messages/messages.ts'
import { findDepartment, findOperator } from '../operators/operators.ts'
import type { Operator } from '../operators/schema.ts'
import { ensureTags } from '../tags/tags.ts'
import { emitAssigned, noteAssigned } from './assign.ts'
import { byCaller, emitClosed } from './close.ts'
import { changeAndGetTicket } from './find.ts'
import { addFirstMessage, hasMessage } from './first-message.ts'
import { insertTicket, type TicketInsert } from './queries.ts'
import type { NewTicket, Ticket } from './schema.ts'

/** The plan's limit of tickets a month, if it is used up; null otherwise. */
async function findUsedLimit(tx: Tx): Promise<Usage | null> {
  const usage = await lockUsage(tx, tx.projectId)
  return usage.limit !== null && usage.used >= usage.limit ? usage : null
}

export async function requireTicketQuota(tx: Tx): Promise<void> {
  const usage = await findUsedLimit(tx)
  if (usage) throw new ApiError('TICKET_LIMIT_REACHED', { ...usage })
}

/** Whether a new ticket is over the limit. A contact's message in a channel that cannot refuse it is marked instead of refused. */
async function isOverLimit(tx: Tx, { channel, mailbox_id }: Opening): Promise<boolean> {
  if (outgoingChannels.includes(channel) && !mailbox_id) return (await findUsedLimit(tx)) !== null
  await requireTicketQuota(tx)
  return false
}

/** Checks the department and returns the operator, if they are given. */
async function requireAssignee(tx: Tx, { department_id, operator_id }: Opening): Promise<Operator | null> {
  const isGiven = (id: string | null | undefined): id is string => id !== null && id !== undefined
  if (isGiven(department_id) && !(await findDepartment(tx, tx.projectId, department_id))) {
    throw refuse('department_id', 'not_found')
  }
  if (!isGiven(operator_id)) return null
  const operator = await findOperator(tx, tx.projectId, operator_id)
  if (!operator) throw refuse('operator_id', 'not_found')
  return operator
}

/** A new ticket of an existing contact. */
export type Opening = Omit<NewTicket, 'contact'> & {
  channel: string
  /** How the contact was identified, for a ticket from the chat. */
  contact_identity?: Ticket['contact_identity']
  language?: string | null
  /** The external_id of the first message. */
  message_external_id?: string | null
  message_fields?: ChannelFields
  /** The address to which a conversation by email is sent; by default, the contact's primary address. */
  recipient?: string | null
  is_spam?: boolean
  follow_up_of_id?: string | null
}

/** The contact of a new ticket. */
interface Owner {
  id: string
  name: string | null
  isBlocked: boolean
}

/** A ticket that is created as closed is closed at its creation. */
const closedFields = (caller: Caller) => ({
  closed_at: toDatabase(now()),
  closed_by: { ...byCaller(caller) },
  resolution_secs: 0,
})

function toInsert(input: Opening, contactId: string, caller: Caller): TicketInsert {
  const status = input.status ?? 'new'
  return {
    id: newId(),
    subject: subjectOf(input),
    status,
    priority: input.priority ?? 'normal',
    channel: input.channel,
    contact_id: contactId,
    contact_identity: input.contact_identity ?? null,
    operator_id: input.operator_id ?? null,
    department_id: input.department_id ?? null,
    tags: input.tags ?? [],
    custom_fields: mergeFields({}, input.custom_fields ?? {}),
    external_id: input.external_id ?? null,
    language: input.language ?? null,
    is_spam: input.is_spam ?? false,
    follow_up_of_id: input.follow_up_of_id ?? null,
    ...(status === 'closed' && closedFields(caller)),
  }
}

export function createTicket(store: DbOrTx, caller: Caller, input: NewTicket): Promise<Ticket> {
  const { contact: sent, ...rest } = input
  requireIdentifier(sent)
  if (rest.email && !rest.mailbox_id) throw refuse('email', 'not_by_email')
  return changeAndGetTicket(store, caller.project.id, async tx => {
    await checkFields(tx, caller, 'ticket', rest.custom_fields)
    await checkFields(tx, caller, 'contact', sent.custom_fields, 'contact.custom_fields')
    const { id, isBlocked } = await upsertContact(tx, sent, 'api')
    const owner = { id, isBlocked, name: visibleOrNull(sent.full_name ?? '') ?? sent.email ?? null }
    const way = rest.mailbox_id ? { channel: 'email', recipient: sent.email ?? null } : { channel: 'api' }
    return openTicket(tx, caller, owner, { ...rest, ...way, language: sent.language ?? null })
  })
}

/** Creates a ticket and returns its id. */
export async function openTicket(tx: Tx, caller: Caller, owner: Owner, input: Opening): Promise<string> {
  const { projectId } = tx
  if (owner.isBlocked) throw new ApiError('CONTACT_BLOCKED')
  // Locked before the project's counter, as everywhere. Their errors are reported later, in the usual order.
  const tags = await ensureTags(tx, projectId, input.tags ?? [])
  const taken = await lockMediaForMessage(tx, input.media_ids ?? [])
  const over_limit = await isOverLimit(tx, input)
  const operator = await requireAssignee(tx, input)
  // A mail may be empty.
  if ((hasMessage(input) && !input.message_fields?.email) || input.mailbox_id) requireContent(input)
  requireMedia(taken)
  const ticket = { ...toInsert({ ...input, tags }, owner.id, caller), over_limit }
  const createdAt = await insertTicket(tx, ticket)
  tx.emit({
    type: 'ticket.created',
    data: {
      ticket_id: ticket.id,
      status: ticket.status,
      priority: ticket.priority,
      contact_id: owner.id,
      subject: ticket.subject,
    },
  })
  if (operator) emitAssigned(tx, ticket, operator)
  await noteAssigned(tx, caller, ticket.id, operator)
  if (hasMessage(input))
    await addFirstMessage(tx, caller, input, { ...ticket, created_at: createdAt }, owner.name, taken.media)
  if (ticket.status === 'closed')
    emitClosed(tx, ticket, { closed_at: toDatabase(createdAt), resolution_secs: 0 })
  return ticket.id
}
