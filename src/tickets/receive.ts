import type { Caller } from '../core/endpoint.ts'
import type { Tx } from '../events/transaction.ts'
import type { NewMessage } from '../messages/schema.ts'
import { openTicket } from './create.ts'
import { hearContact } from './hear.ts'

/** Messages that contacts write in messengers. */

export interface ReceivedMessage {
  channel: string
  content: string
  content_format?: NewMessage['content_format']
  content_html?: string | null
  media_ids: string[]
  /** When the message was written; null means now. */
  written_at: string | null
  /** The time of the previous message in the conversation. Messages are sorted by time, so this one must not be earlier. */
  previous_at: string | null
  /** The message that this one replies to. */
  answered: { ticket_id: string; message_id: string } | null
  /** The department of a new ticket. */
  department_id: string | null
  language: string | null
}

export interface PostedMessage {
  ticketId: string
  messageId: string
  isNewTicket: boolean
}

function fieldsOf({ channel, content_html, written_at, previous_at }: ReceivedMessage) {
  const isLate = written_at !== null && previous_at !== null && previous_at > written_at
  const created_at = isLate ? previous_at : written_at
  return {
    channel,
    ...(content_html !== undefined && { content_html }),
    ...(created_at !== null && { created_at }),
  }
}

async function findFirstMessage(tx: Tx, ticketId: string): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from messages where project_id = ${tx.projectId} and ticket_id = ${ticketId} and sender_type <> 'system'
    order by created_at, id limit 1`
  return row!.id
}

async function open(
  tx: Tx,
  caller: Caller,
  contact: ReceivedContact,
  message: ReceivedMessage,
): Promise<PostedMessage> {
  const { channel, content, content_format, media_ids, department_id, language } = message
  const owner = { ...contact, isBlocked: false }
  const ticketId = await openTicket(tx, caller, owner, {
    ...{ channel, content, content_format, media_ids, department_id, language },
    message_fields: fieldsOf(message),
  })
  return { ticketId, messageId: await findFirstMessage(tx, ticketId), isNewTicket: true }
}

async function join(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  message: ReceivedMessage,
): Promise<PostedMessage> {
  const { content, content_format, media_ids, answered } = message
  const heard = await hearContact(tx, caller, ticketId, {
    ...{ content, content_format, media_ids },
    reply_to_id: answered?.ticket_id === ticketId ? answered.message_id : null,
    fields: fieldsOf(message),
  })
  return {
    ticketId: heard.ticket_id,
    messageId: heard.message_id,
    isNewTicket: heard.ticket_id !== ticketId,
  }
}

interface ReceivedContact {
  id: string
  name: string | null
}

/**
 * Adds the message to the ticket, or opens a ticket if `ticketId` is null. A recently closed ticket is reopened. If it was closed long ago,
 * a new ticket follows it.
 */
export function receiveMessage(
  tx: Tx,
  project: { id: string; name: string },
  contact: ReceivedContact,
  ticketId: string | null,
  message: ReceivedMessage,
): Promise<PostedMessage> {
  const { id, name } = contact
  const caller: Caller = { project, actor: { type: 'contact', id, name, visitor_id: id } }
  return ticketId === null ? open(tx, caller, contact, message) : join(tx, caller, ticketId, message)
}
