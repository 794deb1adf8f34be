import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type Store, type Tx, transact } from '../events/transaction.ts'
import { giveMedia, ownDraft, requireContent, requireMedia, takeMedia } from './draft.ts'
import { getTicketId, toMessage, toTicketId } from './find.ts'
import { type Draft, findMessage, findMessageByExternalId } from './queries.ts'
import type { Message, NewMessage } from './schema.ts'
import { addMessage, writeMessage } from './write.ts'

export interface Posted {
  message: Message
  /** False when the external_id was used before: the message is the one of then. */
  isNew: boolean
}

async function requireReply(tx: Tx, draft: Draft): Promise<void> {
  if (draft.reply_to_id === null) return
  const found = isId(draft.reply_to_id) ? await findMessage(tx, tx.projectId, draft.reply_to_id) : null
  if (found?.ticket_id !== draft.ticket_id) throw refuse('reply_to_id', 'not_found')
}

/** The message as the answer shows it, made of what was written: nothing is read back. */
const shown = (projectId: string, draft: Draft, channel: string): Message => {
  const { media, send_at, mentions, after_reply, ...fields } = draft
  return toMessage({
    ...fields,
    media,
    send_at: send_at?.slice(0, -1) ?? null,
    workspace_id: projectId,
    channel,
    content_html: null,
    reactions: [],
    delivery_status: send_at === null ? 'sent' : 'scheduled',
    delivery_error: null,
    delivery_attempts: 1,
    delivery_updated_at: draft.created_at,
    email: null,
    version: 1,
    edited_at: null,
    deleted_at: null,
  })
}

/** Looks up files, the reply and the external_id first, in one transaction with the write. */
export async function postDraft(tx: Tx, draft: Draft, mediaIds: string[]): Promise<Posted> {
  const taken = await takeMedia(tx, mediaIds)
  const earlier = await findEarlier(tx, draft)
  if (earlier) return earlier
  await requireReply(tx, draft)
  requireMedia(taken)
  const checked = { ...draft, media: taken.media }
  const written = await addMessage(tx, checked)
  if (!written) return requireEarlier(await findEarlier(tx, draft))
  await giveMedia(tx, checked)
  return { message: shown(tx.projectId, checked, written.channel), isNew: true }
}

async function findEarlier(tx: Tx, { external_id }: Draft): Promise<Posted | null> {
  const row = external_id === null ? null : await findMessageByExternalId(tx, tx.projectId, external_id)
  return row && { message: toMessage(row), isNew: false }
}

/** Nothing was written and nobody was earlier: the ticket has gone. */
function requireEarlier(earlier: Posted | null): Posted {
  if (!earlier) throw new ApiError('TICKET_NOT_FOUND')
  return earlier
}

/** A message of the caller. A number in place of the ticket's id costs one look-up more. */
export async function postMessage(
  store: Store,
  caller: Caller,
  reference: string,
  input: NewMessage,
): Promise<Posted> {
  const { project } = caller
  const mediaIds = input.media_ids ?? []
  const ticketId = await toTicketId(store, project.id, reference)
  const draft = ownDraft(caller, ticketId, input)
  const isEmpty = !draft.content.trim() && mediaIds.length === 0
  const isPlain =
    caller.actor.type === 'api' &&
    mediaIds.length === 0 &&
    draft.reply_to_id === null &&
    draft.external_id === null
  // A missing ticket is told before anything else that is wrong; a plain message learns it from its own statement.
  if (isEmpty || !isPlain) await getTicketId(store, project.id, ticketId)
  requireContent(draft.content, mediaIds)
  if (!isPlain) return transact(store, project.id, tx => postDraft(tx, draft, mediaIds))
  const written = await writeMessage(store, project.id, draft)
  if (!written) throw new ApiError('TICKET_NOT_FOUND')
  return { message: shown(project.id, draft, written.channel), isNew: true }
}
