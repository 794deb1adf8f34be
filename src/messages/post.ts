import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { attachLockedMedia, lockMediaForMessage, ownDraft, requireContent, requireMedia } from './draft.ts'
import { getMessage, toMessage, toTicketId } from './find.ts'
import { requireNoNewerMessage } from './newer-messages.ts'
import {
  findMessage,
  findMessageByExternalId,
  findSurvivor,
  hasOutgoingChannel,
  type MessageDraft,
} from './queries.ts'
import type { Message, NewMessage } from './schema.ts'
import { addMessage, type WrittenFields, writeMessage } from './write.ts'

export interface Posted {
  id: string
  /** False if the external_id was used before. Then this is the earlier message. */
  isNew: boolean
}

/** What the draft does not contain. */
export type PostInput = Pick<NewMessage, 'media_ids' | 'email'>

export interface Answered {
  message: Message
  isNew: boolean
}

async function requireReply(tx: Tx, draft: MessageDraft): Promise<void> {
  if (draft.reply_to_id === null) return
  const found = isId(draft.reply_to_id) ? await findMessage(tx, tx.projectId, draft.reply_to_id) : null
  if (found?.ticket_id !== draft.ticket_id) throw refuse('reply_to_id', 'not_found')
}

/** The message for the response, built from what was written, without reading it back. */
const shown = (projectId: string, draft: MessageDraft, written: WrittenFields): Message => {
  const { media, send_at, mentions, after_reply, email, ...fields } = draft
  return toMessage({
    ...fields,
    media,
    send_at: null,
    // Messages with an email are not written in this way.
    email: null,
    workspace_id: projectId,
    reactions: [],
    delivery_error: null,
    delivery_updated_at: draft.created_at,
    version: 1,
    ...written,
    edited_at: null,
    deleted_at: null,
  })
}

/**
 * Looks up files, the reply and the external_id in the same transaction as the write. The caller's own check runs last, so that a
 * repeated message is found before it is refused. Returns the message's id, or null if the ticket does not exist or was merged.
 */
export async function postDraft(
  tx: Tx,
  draft: MessageDraft,
  input: PostInput,
  check = async () => {},
): Promise<Posted | null> {
  const taken = await lockMediaForMessage(tx, input.media_ids ?? [])
  const earlier = await findEarlier(tx, draft)
  if (earlier) return earlier
  await requireReply(tx, draft)
  requireMedia(taken)
  await check()
  const checked = { ...draft, media: taken.media }
  const written = await addMessage(tx, checked, input)
  if (!written) return findEarlier(tx, draft)
  await attachLockedMedia(tx, checked)
  return { id: draft.id, isNew: true }
}

/** Finds an earlier message with the same external_id. A message of another ticket is refused. */
async function findEarlier(tx: Tx, { external_id, ticket_id }: MessageDraft): Promise<Posted | null> {
  const row = external_id === null ? null : await findMessageByExternalId(tx, tx.projectId, external_id)
  if (!row) return null
  if (row.ticket_id !== ticket_id) throw refuse('external_id', 'identifier_taken', { message_id: row.id })
  return { id: row.id, isNew: false }
}

/** Posts a message of a person or contact. The ticket must be locked and not merged. */
export async function postLocked(tx: Tx, draft: MessageDraft, input: PostInput): Promise<Posted> {
  const posted = await postDraft(tx, draft, input)
  if (!posted) throw new ApiError('TICKET_NOT_FOUND')
  return posted
}

const isPlain = (
  { actor }: Caller,
  draft: MessageDraft,
  { media_ids = [], email, unless_newer }: NewMessage,
): boolean =>
  actor.type === 'api' &&
  media_ids.length === 0 &&
  !email &&
  !unless_newer &&
  draft.reply_to_id === null &&
  draft.external_id === null &&
  draft.send_at === null

async function post(
  store: DbOrTx,
  caller: Caller,
  draft: MessageDraft,
  input: NewMessage,
): Promise<Answered | null> {
  const projectId = caller.project.id
  if (isPlain(caller, draft, input)) {
    const written = await writeMessage(store, projectId, draft)
    if (written) return { message: shown(projectId, draft, written), isNew: true }
    if (!(await hasOutgoingChannel(store, projectId, draft.ticket_id))) return null
  }
  return transactAndRead(
    store,
    projectId,
    tx => postDraft(tx, draft, input, () => requireNoNewerMessage(tx, caller, draft.ticket_id, input)),
    async (tx, posted) =>
      posted && { message: await getMessage(tx, projectId, posted.id), isNew: posted.isNew },
  )
}

/** More merges than can happen during one request. */
const maxMerges = 5

/** Posts a message of the caller. A message to a merged ticket goes to the ticket it was merged into. */
export async function postMessage(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: NewMessage,
): Promise<Answered> {
  const projectId = caller.project.id
  let ticketId = await toTicketId(store, projectId, reference)
  const draft = ownDraft(caller, ticketId, input)
  // A missing ticket is reported before other errors. For a plain message, the statement that writes it checks this.
  if (!draft.content.trim() || !isPlain(caller, draft, input))
    ticketId = await getSurvivorId(store, projectId, ticketId)
  requireContent(input)
  for (let tries = 0; tries < maxMerges; tries++) {
    const answered = await post(store, caller, { ...draft, ticket_id: ticketId }, input)
    if (answered) return answered
    ticketId = await getSurvivorId(store, projectId, ticketId)
  }
  throw new ApiError('TICKET_NOT_FOUND')
}

/** The ticket into which this one was merged, or itself. */
async function getSurvivorId(store: DbOrTx, projectId: string, id: string): Promise<string> {
  const found = isId(id) ? await findSurvivor(store, projectId, id) : null
  if (!found) throw new ApiError('TICKET_NOT_FOUND')
  return found
}
