import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { discardDraft } from '../drafts/drafts.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import {
  type ChannelFields,
  getMessage,
  isWaiting,
  listNewer,
  lockAndListNewer,
  type MessageDraft,
  ownDraft,
  postLocked,
  requireContent,
} from '../messages/messages.ts'
import type { Message, NewReply } from '../messages/schema.ts'
import { getSurvivor } from './find.ts'
import { followUp } from './follow-up.ts'
import { requireMentioned, withoutWriter } from './mentioned.ts'
import { findUndo, undoUntil } from './undo.ts'

export interface PostedReply {
  message: Message
  newer: Message[]
  isNew: boolean
}

/** The draft of a reply, which may wait so that it can be undone, or of a note. */
function draftReply(caller: Caller, ticketId: string, input: NewReply, undoSeconds: number): MessageDraft {
  const draft = ownDraft(caller, ticketId, input)
  const { mentions = [], after_reply = null } = input
  return {
    ...draft,
    send_at: draft.send_at ?? undoUntil(undoSeconds),
    mentions: withoutWriter(caller, mentions),
    after_reply,
  }
}

/** Returns what others have written since. With `unless_newer`, refuses the reply if there is anything. */
async function checkNewer(tx: Tx, caller: Caller, ticketId: string, input: NewReply): Promise<Message[]> {
  if (!input.unless_newer) return listNewer(tx, caller, ticketId, input.last_seen_message_id)
  const newer = await lockAndListNewer(tx, caller, ticketId, input.last_seen_message_id)
  if (newer.length) throw new ApiError('NEWER_MESSAGES', { messages: newer })
  return newer
}

/** An operator's reply that arrived by email. It may be empty, and cannot be undone. Returns the message's id. */
export async function postEmailReply(
  tx: Tx,
  caller: Caller,
  reference: string,
  input: NewReply,
  fields: ChannelFields,
): Promise<string> {
  const ticket = await getSurvivor(tx, reference)
  const draft = ownDraft(caller, ticket.id, input, fields)
  const { id } = await postLocked(tx, draft, input)
  await followUp(tx, ticket, draft)
  return id
}

/** Adds a note that arrived by email. The ticket keeps its status and becomes unread. Returns the message's id. */
export async function postEmailNote(tx: Tx, draft: MessageDraft, media_ids: string[]): Promise<string> {
  const ticket = await getSurvivor(tx, draft.ticket_id)
  const { id } = await postLocked(tx, { ...draft, ticket_id: ticket.id }, { media_ids })
  return id
}

export function replyToTicket(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: NewReply,
): Promise<PostedReply> {
  const projectId = caller.project.id
  const write = async (tx: Tx) => {
    const ticket = await getSurvivor(tx, reference)
    const draft = draftReply(caller, ticket.id, input, await findUndo(tx, ticket, input))
    requireContent(input)
    if (draft.mentions.length && !draft.is_internal) throw refuse('mentions', 'not_internal')
    await requireMentioned(tx, draft.mentions)
    const newer = await checkNewer(tx, caller, ticket.id, input)
    const { id, isNew } = await postLocked(tx, draft, input)
    if (isNew && !isWaiting(draft)) await followUp(tx, ticket, draft)
    await discardDraft(tx, caller, ticket.id, draft.is_internal)
    return { id, newer, isNew }
  }
  return transactAndRead(store, projectId, write, async (tx, { id, ...posted }) => ({
    ...posted,
    message: await getMessage(tx, projectId, id),
  }))
}
