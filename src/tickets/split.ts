import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { shortenText } from '../core/text/shorten-text.ts'
import { lockActivities } from '../events/activity.ts'
import { takeEventTime } from '../events/log.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { getMessage, type MessageDraft, recountActivity, subjectOf } from '../messages/messages.ts'
import type { Message, MessageEmail } from '../messages/schema.ts'
import { findOperator } from '../operators/operators.ts'
import { emitAssigned } from './assign.ts'
import { requireTicketQuota } from './create.ts'
import { changeAndGetTicket, getLocked, getTicket } from './find.ts'
import type { Splitting } from './inbox-schema.ts'
import {
  insertTicket,
  type LockedTicket,
  listTicketsInDeletion,
  type TicketInsert,
  updateTicketVersion,
} from './queries.ts'
import type { MessageSplit, Ticket } from './schema.ts'
import { recordAction } from './system-messages.ts'

type Part = Pick<
  MessageDraft,
  'id' | 'sender_type' | 'sender_id' | 'channel' | 'content' | 'content_format' | 'contact_identity'
>

/** The messages to move, locked, oldest first. They must belong to this ticket and must not be from the system. */
export async function lockParts(tx: Tx, ticketId: string, ids: string[]): Promise<Part[]> {
  await tx`
    select from messages where project_id = ${tx.projectId} and id = ${anyId(tx, ids.filter(isId))}
    order by id for no key update`
  const parts = await tx<Part[]>`
    select id, sender_type, sender_id, channel, content, content_format, contact_identity from messages
    where project_id = ${tx.projectId} and ticket_id = ${ticketId} and id = ${anyId(tx, ids.filter(isId))}
    order by created_at, id`
  const missing = ids.filter(id => !parts.some(part => part.id === id))
  if (missing.length) throw refuse('message_ids', 'not_found', { ids: missing })
  if (parts.some(({ sender_type }) => sender_type === 'system')) throw refuse('message_ids', 'system_message')
  return parts
}

/** Whether the ticket has messages besides these, apart from those of the system. */
export async function hasOthers(tx: Tx, ticketId: string, ids: string[]): Promise<boolean> {
  const { count } = await tx`
    select from messages where project_id = ${tx.projectId} and ticket_id = ${ticketId}
      and id <> all(${ids}::uuid[]) and sender_type <> 'system' limit 1`
  return count > 0
}

/** The least certain identity among the messages. */
const identityOf = (parts: Part[]) =>
  (['typed', 'none', 'proved'] as const).find(one =>
    parts.some(({ contact_identity }) => contact_identity === one),
  )

/** Several people can write in a ticket by email. If all of these emails are from one of them, the new ticket is theirs. */
async function contactOf(tx: Tx, source: LockedTicket, parts: Part[]): Promise<string> {
  const writers = new Set(
    parts
      .filter(part => part.sender_type === 'contact')
      .map(part => part.channel === 'email' && part.sender_id),
  )
  const [writer] = writers
  if (writers.size !== 1 || !writer) return source.contact_id
  const [contact] = await tx<{ id: string }[]>`
    select id from contacts where project_id = ${tx.projectId} and id = ${writer} and merged_into_id is null`
  return contact?.id ?? source.contact_id
}

type Inherited = Pick<TicketInsert, 'priority' | 'channel' | 'language' | 'tags' | 'contact_identity'>

/** Creates the new ticket with the values of the old one, except those that depend on the messages. */
async function openBeside(
  tx: Tx,
  by: ChangedBy,
  source: LockedTicket,
  parts: Part[],
  subject: string,
): Promise<TicketInsert> {
  const [inherited] = await tx<Inherited[]>`
    select priority, channel, language, tags, contact_identity from tickets where project_id = ${tx.projectId} and id = ${source.id}`
  const { operator_id, department_id } = source
  const contact_id = await contactOf(tx, source, parts)
  const ticket: TicketInsert = {
    ...inherited!,
    contact_identity: identityOf(parts) ?? inherited!.contact_identity,
    id: newId(),
    subject,
    status: 'open',
    contact_id,
    operator_id,
    department_id,
  }
  await insertTicket(tx, by, ticket)
  const { id: ticket_id, status, priority } = ticket
  tx.emit({ type: 'ticket.created', data: { ticket_id, status, priority, contact_id, subject } })
  const operator = operator_id && (await findOperator(tx, tx.projectId, operator_id))
  if (operator) emitAssigned(tx, ticket, operator)
  return ticket
}

/** The email of a moved message: from now on it is in its ticket because a person chose it. Null for other messages. */
function emailChosenBy(sql: Sql, { actor }: Caller): Fragment {
  const why = {
    thread_reason: 'by_hand',
    thread_evidence: `made_by_hand: ${actor.type === 'operator' ? actor.name : actor.type}`,
    related_ticket_id: null,
  } satisfies Partial<MessageEmail>
  return sql`email || ${sql.json(why)}
    || jsonb_build_object('warnings', (email->'warnings') - 'subject_changed'::text)`
}

/** Moves locked messages to another ticket. The activities of existing tickets must be locked. */
export async function moveParts(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  targetId: string,
  ids: string[],
): Promise<void> {
  const at = await takeEventTime(tx, tx.projectId)
  await tx`
    update messages set ticket_id = ${targetId}, version = version + 1, updated_at = ${at}, email = ${emailChosenBy(tx, caller)}
    where project_id = ${tx.projectId} and ticket_id = ${sourceId} and id = ${anyId(tx, ids)}`
  for (const one of [sourceId, targetId]) await recountActivity(tx, one)
  await updateTicketVersion(tx, sourceId)
}

/** Creates a ticket from messages of another one. It counts towards the plan's limit. */
export function splitTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  { message_ids, subject }: Splitting,
): Promise<Ticket> {
  const ids = [...new Set(message_ids)]
  return changeAndGetTicket(store, caller.project.id, async tx => {
    const source = await getLocked(tx, reference)
    if ((await listTicketsInDeletion(tx, tx.projectId, [source.id])).length)
      throw new ApiError('TICKET_NOT_FOUND')
    const parts = await lockParts(tx, source.id, ids)
    if (!(await hasOthers(tx, source.id, ids))) throw refuse('message_ids', 'all_messages')
    await lockActivities(tx, tx.projectId, [source.id])
    await requireTicketQuota(tx)
    const by = changedBy(caller)
    const { id } = await openBeside(tx, by, source, parts, subjectOf({ ...parts[0]!, subject }))
    await moveParts(tx, caller, source.id, id, ids)
    tx.emit({ type: 'ticket.updated', data: { ticket_id: source.id, cause: 'split' } })
    tx.record({ ticketId: source.id, by, changes: { split_ticket_id: [null, id] } })
    tx.record({ ticketId: id, by, changes: { split_from_id: [null, source.id] } })
    const { short_id } = await getTicket(tx, tx.projectId, id)
    await recordAction(tx, caller, source.id, 'ticket_split', { ticket_id: id, short_id })
    await recordAction(tx, caller, id, 'ticket_split_off', {
      ticket_id: source.id,
      short_id: `${source.number}`,
    })
    return id
  })
}

/** The later messages of the same sender in the message's ticket. */
const listLater = (sql: Sql, projectId: string, message: Message) => sql<{ id: string }[]>`
  select id from messages where project_id = ${projectId} and ticket_id = ${message.ticket_id}
    and sender_type = ${message.sender_type} and sender_id is not distinct from ${message.sender_id}
    and (created_at, id) > (${`${message.created_at}Z`}::timestamptz, ${message.id}::uuid)`

/** Moves one message, and on request the later ones of its sender, to a ticket of its own. */
export async function splitMessage(
  store: DbOrTx,
  caller: Caller,
  id: string,
  { with_later, subject }: MessageSplit,
): Promise<Ticket> {
  const message = await getMessage(store, caller.project.id, id)
  const later = with_later ? await listLater(store, caller.project.id, message) : []
  return splitTicket(store, caller, message.ticket_id, {
    message_ids: [id, ...later.map(one => one.id)],
    subject: subject ?? shortenText(message.email?.subject ?? '', 255).kept,
  })
}
