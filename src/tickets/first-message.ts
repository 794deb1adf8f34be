import type { Caller } from '../core/endpoint.ts'
import type { Tx } from '../events/transaction.ts'
import {
  addMessage,
  attachLockedMedia,
  draftMessage,
  type LockedMedia,
  type MessageDraft,
  ownDraft,
} from '../messages/messages.ts'
import type { Opening } from './create.ts'
import { withoutWriter } from './mentioned.ts'
import type { TicketInsert } from './queries.ts'
import { findUndo, undoUntil } from './undo.ts'

/** The message with which a ticket begins. */

export const hasMessage = ({ content, media_ids = [] }: Opening): boolean =>
  (content !== undefined && content !== null) || media_ids.length > 0

type OpenedTicket = TicketInsert & { created_at: string }

/** `system` of a contact's message that an operator wrote down, such as one from a phone call. */
const writtenDownBy = ({ actor }: Caller): MessageDraft['system'] =>
  actor.type === 'operator'
    ? { kind: 'written_down', data: { operator_id: actor.id, operator_name: actor.name } }
    : null

const contactDraft = (
  caller: Caller,
  input: Opening,
  ticket: OpenedTicket,
  name: string | null,
): MessageDraft =>
  draftMessage({
    ticket_id: ticket.id,
    sender_type: 'contact',
    sender_id: ticket.contact_id,
    sender_name: name,
    contact_identity: ticket.contact_identity,
    external_id: input.message_external_id ?? null,
    content: input.content ?? '',
    content_format: input.content_format ?? 'text',
    created_at: ticket.created_at,
    ...(input.first_message === 'written_down' && { system: writtenDownBy(caller) }),
    ...input.message_fields,
  })

/** A note, or the first message of a conversation, which may wait so that it can be undone. */
async function beginningDraft(
  tx: Tx,
  caller: Caller,
  { content, content_format, is_internal, mentions = [], can_undo }: Opening,
  ticket: OpenedTicket,
): Promise<MessageDraft> {
  const written = { content, content_format, is_internal }
  const draft = ownDraft(caller, ticket.id, written, { created_at: ticket.created_at })
  const send_at = undoUntil(await findUndo(tx, ticket, { can_undo, is_internal }))
  return { ...draft, mentions: withoutWriter(caller, mentions), send_at }
}

/** Adds the first message. */
export async function addFirstMessage(
  tx: Tx,
  caller: Caller,
  input: Opening,
  ticket: OpenedTicket,
  contactName: string | null,
  media: LockedMedia['media'],
): Promise<void> {
  const { mailbox_id, recipient, email } = input
  const written =
    input.first_message === 'own'
      ? await beginningDraft(tx, caller, input, ticket)
      : contactDraft(caller, input, ticket, contactName)
  const draft = { ...written, media }
  const recipients = recipient ? { to: [recipient], ...email } : email
  await addMessage(tx, draft, { mailbox_id, email: recipients })
  await attachLockedMedia(tx, draft)
}
