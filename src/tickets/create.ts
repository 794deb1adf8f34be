import { lockUsage } from '../billing/billing.ts'
import type { Usage } from '../billing/schema.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { mergeFields } from '../core/fields.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import { changedBy } from '../events/ticket-history.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import {
  type ChannelFields,
  canReachInOutlets,
  isOutgoingChannel,
  lockMediaForMessage,
  requireContent,
  requireMedia,
  subjectOf,
} from '../messages/messages.ts'
import { findDepartment, findOperator, noteUnassigned } from '../operators/operators.ts'
import type { Operator } from '../operators/schema.ts'
import { ensureTags } from '../tags/tags.ts'
import { emitAssigned, noteAssigned } from './assign.ts'
import { closerOf, emitClosed } from './close.ts'
import { changeAndGetTicket } from './find.ts'
import { addFirstMessage, hasMessage } from './first-message.ts'
import { requireMentioned } from './mentioned.ts'
import { findOwner, type Owner, requireContact } from './owner.ts'
import { insertTicket, type TicketInsert } from './queries.ts'
import type { NewTicketOfPerson, Ticket } from './schema.ts'

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
async function isOverLimit(tx: Tx, { channel, first_message }: Opening): Promise<boolean> {
  if (isOutgoingChannel(channel) && first_message !== 'own') return (await findUsedLimit(tx)) !== null
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
export type Opening = Omit<NewTicketOfPerson, 'contact'> & {
  channel: string
  /** By default, the first message is the contact's own. `written_down`: an operator wrote down what the contact said. */
  first_message?: 'own' | 'written_down'
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

/** A ticket that is created as closed is closed at its creation. */
const closedFields = (caller: Caller) => ({
  closed_at: toDatabase(now()),
  closed_by: { ...closerOf(changedBy(caller)) },
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

function requireCompatible({
  email,
  mailbox_id,
  channel,
  is_internal = false,
  mentions = [],
}: NewTicketOfPerson) {
  if (email && !mailbox_id) throw refuse('email', 'not_by_email')
  if (mailbox_id && (is_internal || channel)) throw refuse('mailbox_id', 'not_by_email')
  if (mentions.length && !is_internal) throw refuse('mentions', 'not_internal')
}

/** The channel of the ticket, and whose message the first one is. */
async function chooseChannel(
  tx: Tx,
  { actor }: Caller,
  contactId: string,
  { contact, mailbox_id, channel = 'api', is_internal }: NewTicketOfPerson,
): Promise<Pick<Opening, 'channel' | 'recipient' | 'first_message'>> {
  if (mailbox_id) return { channel: 'email', recipient: contact.email ?? null, first_message: 'own' }
  const isSent = isOutgoingChannel(channel)
  if (isSent && !(await canReachInOutlets(tx, channel, contactId))) throw refuse('channel', 'no_chat')
  if (isSent || is_internal) return { channel, first_message: 'own' }
  return { channel, ...(actor.type === 'operator' && { first_message: 'written_down' }) }
}

export function createTicket(store: DbOrTx, caller: Caller, input: NewTicketOfPerson): Promise<Ticket> {
  const { contact: sent, ...rest } = input
  requireContact(sent)
  requireCompatible(input)
  return changeAndGetTicket(store, caller.project.id, async tx => {
    await checkFields(tx, caller, 'ticket', rest.custom_fields)
    const owner = await findOwner(tx, caller, sent)
    if (owner.isBlocked) throw new ApiError('CONTACT_BLOCKED')
    const opening = await chooseChannel(tx, caller, owner.id, input)
    await requireMentioned(tx, rest.mentions ?? [])
    return openTicket(tx, caller, owner, { ...rest, ...opening, language: owner.language })
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
  const isSent = input.first_message === 'own' && !input.is_internal
  if ((hasMessage(input) && !input.message_fields?.email) || isSent) requireContent(input)
  requireMedia(taken)
  const ticket = { ...toInsert({ ...input, tags }, owner.id, caller), over_limit }
  const createdAt = await insertTicket(tx, changedBy(caller), ticket)
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
  if (!operator && !ticket.is_spam && ticket.status !== 'closed')
    await noteUnassigned(tx, ticket, caller.actor.id)
  if (hasMessage(input))
    await addFirstMessage(tx, caller, input, { ...ticket, created_at: createdAt }, owner.name, taken.media)
  if (ticket.status === 'closed')
    emitClosed(tx, ticket, { closed_at: toDatabase(createdAt), resolution_secs: 0 })
  return ticket.id
}
