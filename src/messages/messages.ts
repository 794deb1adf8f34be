import type { Caller } from '../core/endpoint.ts'
import { ApiError, BriefError, refuse } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { now, parseTime, toDatabase } from '../core/time.ts'
import { type Store, type Tx, transact } from '../events/transaction.ts'
import { getMessage, getTicketId, toMessage } from './find.ts'
import {
  attachMedia,
  type Draft,
  findMessage,
  findMessageByExternalId,
  lockMedia,
  lockMessage,
  type MessageRow,
} from './queries.ts'
import { previewOf, renderContent } from './render.ts'
import type { MediaItem, Message, MessageChange, NewMessage } from './schema.ts'
import { writeMessage } from './write.ts'

export { getMessage, getTicketId, listTicketMessages } from './find.ts'
export { type Draft, findTicketId } from './queries.ts'
export { addMessage } from './write.ts'

type Project = Caller['project']

export interface Posted {
  message: Message
  /** False when the external_id was used before: the message is the one of then. */
  isNew: boolean
}

/** A draft with everything that a sender does not say. */
export const draftMessage = (
  fields: Pick<Draft, 'ticket_id' | 'sender_type' | 'sender_id' | 'content'> & Partial<Draft>,
): Draft => ({
  id: newId(),
  sender_name: null,
  content_format: 'text',
  is_internal: false,
  reply_to_id: null,
  external_id: null,
  send_at: null,
  system: null,
  media: [],
  created_at: now(),
  ...fields,
})

/** What the system says in a conversation: its kind for programs, its text for people. */
export const systemDraft = (
  ticketId: string,
  kind: string,
  content: string,
  data: Record<string, unknown> = {},
) =>
  draftMessage({
    ticket_id: ticketId,
    sender_type: 'system',
    sender_id: null,
    content,
    system: { kind, data },
  })

/** Spec §6.6.2: what comes through the API is the project's bot. */
export const botDraft = (project: Project, ticketId: string, input: NewMessage): Draft =>
  draftMessage({
    ticket_id: ticketId,
    sender_type: 'bot',
    sender_id: project.id,
    sender_name: input.sender_name ?? project.name,
    content: input.content ?? '',
    content_format: input.content_format ?? 'text',
    is_internal: input.is_internal ?? false,
    reply_to_id: input.reply_to_id ?? null,
    external_id: input.external_id ?? null,
    send_at: futureOf(input.send_at),
  })

function futureOf(sent: string | null | undefined): string | null {
  const time = sent ? parseTime(sent)! : null
  return time !== null && time > now() ? toDatabase(time) : null
}

export function requireContent(content: string | null | undefined, mediaIds: string[] = []): void {
  if (!content?.trim() && mediaIds.length === 0) throw new ApiError('MESSAGE_EMPTY')
}

/** Takes files for a message: of this project, each once, none that another message has. */
export async function takeMedia(tx: Tx, mediaIds: string[]): Promise<MediaItem[]> {
  const ids = [...new Set(mediaIds)]
  const found = ids.length ? await lockMedia(tx, tx.projectId, ids.filter(isId)) : []
  const media = ids.flatMap(id => found.find(file => file.id === id) ?? [])
  const missing = ids.filter(id => !media.some(file => file.id === id))
  if (missing.length) throw refuse('media_ids', 'not_found', { ids: missing })
  return media
}

/** Attaches the files that were taken to the message that is now written. */
export async function giveMedia(tx: Tx, { id, media }: Draft): Promise<void> {
  if (media.length)
    await attachMedia(
      tx,
      tx.projectId,
      id,
      media.map(file => file.id),
    )
}

async function requireReply(tx: Tx, draft: Draft): Promise<void> {
  if (draft.reply_to_id === null) return
  const found = isId(draft.reply_to_id) ? await findMessage(tx, tx.projectId, draft.reply_to_id) : null
  if (found?.ticket_id !== draft.ticket_id) throw refuse('reply_to_id', 'not_found')
}

/** The message as the answer shows it, made of what was written: nothing is read back. */
const shown = (projectId: string, draft: Draft, channel: string): Message => {
  const { media, send_at, ...fields } = draft
  return toMessage({
    ...fields,
    media,
    send_at: send_at?.slice(0, -1) ?? null,
    workspace_id: projectId,
    channel,
    content_html: null,
    sender_avatar_url: null,
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

/** Posts with files, a reply or an external_id look things up first, in one transaction with the write. */
function postChecked(store: Store, projectId: string, draft: Draft, mediaIds: string[]): Promise<Posted> {
  return transact(store, projectId, async tx => {
    await requireReply(tx, draft)
    const checked = { ...draft, media: await takeMedia(tx, mediaIds) }
    const written = await writeMessage(tx, projectId, checked)
    if (!written) return { message: await previous(tx, projectId, draft), isNew: false }
    await giveMedia(tx, checked)
    return { message: shown(projectId, checked, written.channel), isNew: true }
  })
}

async function previous(tx: Tx, projectId: string, draft: Draft): Promise<Message> {
  const row =
    draft.external_id === null ? null : await findMessageByExternalId(tx, projectId, draft.external_id)
  if (!row) throw new ApiError('TICKET_NOT_FOUND')
  return toMessage(row)
}

/** An integration's message. A number in place of the ticket's id costs one look-up more. */
export async function postMessage(
  store: Store,
  project: Project,
  reference: string,
  input: NewMessage,
): Promise<Posted> {
  const mediaIds = input.media_ids ?? []
  const ticketId = isId(reference) ? reference : await getTicketId(store, project.id, reference)
  const draft = botDraft(project, ticketId, input)
  const isEmpty = !draft.content.trim() && mediaIds.length === 0
  const isPlain = mediaIds.length === 0 && draft.reply_to_id === null && draft.external_id === null
  // A missing ticket is told before anything else that is wrong; a plain message learns it from its own statement.
  if (isEmpty || !isPlain) await getTicketId(store, project.id, ticketId)
  requireContent(draft.content, mediaIds)
  if (!isPlain) return postChecked(store, project.id, draft, mediaIds)
  const written = await writeMessage(store, project.id, draft)
  if (!written) throw new ApiError('TICKET_NOT_FOUND')
  return { message: shown(project.id, draft, written.channel), isNew: true }
}

async function lockWritten(tx: Tx, id: string): Promise<MessageRow> {
  const row = isId(id) ? await lockMessage(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('MESSAGE_NOT_FOUND')
  return row
}

/** An e-mail that has left cannot be changed where it arrived; our copy is, and says so. */
const isGone = (row: MessageRow): boolean => row.channel === 'email' && row.delivery_status === 'sent'

async function updateContent(tx: Tx, row: MessageRow, change: MessageChange): Promise<string> {
  const format = change.content_format ?? row.content_format
  const html = format === 'text' ? null : renderContent(change.content, format)
  const editedAt = now()
  await tx`
    with edited as (
      update messages set content = ${change.content}, content_format = ${format}, content_html = ${html},
        edited_at = ${toDatabase(editedAt)}, version = version + 1,
        delivery_error = ${isGone(row) ? 'edit_not_propagated' : row.delivery_error}
      where project_id = ${tx.projectId} and id = ${row.id} returning ticket_id, id
    ) update ticket_activity a set last_message_preview = ${previewOf(change.content, format)}
      from edited where a.project_id = ${tx.projectId} and a.ticket_id = edited.ticket_id
        and a.last_message_id = edited.id`
  return editedAt
}

export function editMessage(
  store: Store,
  projectId: string,
  id: string,
  change: MessageChange,
  version: number | null,
  ticketReference?: string,
): Promise<Message> {
  return transact(store, projectId, async tx => {
    const ticketId = ticketReference && (await getTicketId(tx, projectId, ticketReference))
    const row = await lockWritten(tx, id)
    if (ticketId && row.ticket_id !== ticketId) throw new ApiError('MESSAGE_NOT_FOUND')
    if (version !== null && version !== row.version) throw new BriefError('stale')
    if (row.sender_type === 'system') throw refuse('message_id', 'system_message')
    requireContent(change.content)
    const editedAt = await updateContent(tx, row, change)
    tx.emit({
      type: 'message.edited',
      data: {
        id,
        message_id: id,
        ticket_id: row.ticket_id,
        content: change.content,
        is_internal: row.is_internal,
        edited_at: editedAt,
      },
    })
    return getMessage(tx, projectId, id)
  })
}

/** A failed message goes back to its channel. */
export function retryMessage(store: Store, projectId: string, id: string): Promise<Message> {
  return transact(store, projectId, async tx => {
    const row = await lockWritten(tx, id)
    if (row.delivery_status !== 'failed')
      throw refuse('message_id', 'not_failed', { status: row.delivery_status })
    await tx`
      update messages set delivery_status = 'pending', delivery_error = null, delivery_updated_at = ${toDatabase(now())}
      where project_id = ${projectId} and id = ${id}`
    return getMessage(tx, projectId, id)
  })
}
