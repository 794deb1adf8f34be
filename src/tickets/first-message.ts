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
import type { TicketInsert } from './queries.ts'
import { findUndo, undoUntil } from './undo.ts'

/** The message with which a ticket begins. */

export const hasMessage = ({ content, media_ids = [] }: Opening): boolean =>
  (content !== undefined && content !== null) || media_ids.length > 0

type OpenedTicket = TicketInsert & { created_at: string }

const contactDraft = (input: Opening, ticket: OpenedTicket, name: string | null): MessageDraft =>
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
    ...input.message_fields,
  })

/** The first email of a conversation, which may wait so that it can be undone. */
async function beginningDraft(
  tx: Tx,
  caller: Caller,
  { content, content_format, can_undo }: Opening,
  ticket: OpenedTicket,
): Promise<MessageDraft> {
  const draft = ownDraft(caller, ticket.id, { content, content_format }, { created_at: ticket.created_at })
  return { ...draft, send_at: undoUntil(await findUndo(tx, ticket, { can_undo })) }
}

/** Adds the first message, which is the caller's if a conversation begins by email, and the contact's otherwise. */
export async function addFirstMessage(
  tx: Tx,
  caller: Caller,
  input: Opening,
  ticket: OpenedTicket,
  contactName: string | null,
  media: LockedMedia['media'],
): Promise<void> {
  const { mailbox_id, recipient, email } = input
  const written = mailbox_id
    ? await beginningDraft(tx, caller, input, ticket)
    : contactDraft(input, ticket, contactName)
  const draft = { ...written, media }
  const recipients = recipient ? { to: [recipient], ...email } : email
  await addMessage(tx, draft, { mailbox_id, email: recipients })
  await attachLockedMedia(tx, draft)
}
