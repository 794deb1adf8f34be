import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'
import { now, parseTime, toDatabase } from '../core/time.ts'
import type { Tx } from '../events/transaction.ts'
import { listUsedMedia, lockMedia, updateMediaAttached } from '../media/media.ts'
import type { MediaItem } from '../media/schema.ts'
import type { MessageDraft } from './queries.ts'
import { hasVisibleContent } from './render.ts'
import type { NewMessage } from './schema.ts'

/** A draft with defaults for everything that the sender does not specify. */
export const draftMessage = (
  fields: Pick<MessageDraft, 'ticket_id' | 'sender_type' | 'sender_id' | 'content'> & Partial<MessageDraft>,
): MessageDraft => ({
  id: newId(),
  sender_name: null,
  sender_avatar_url: null,
  contact_identity: null,
  channel: null,
  content_format: 'text',
  content_html: null,
  is_internal: false,
  reply_to_id: null,
  external_id: null,
  key_id: null,
  send_at: null,
  email: null,
  system: null,
  media: [],
  mentions: [],
  after_reply: null,
  created_at: now(),
  ...fields,
})

/** A system message in a conversation: its kind is for programs, its text for people. */
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

/** Messages posted through the API are from the project's bot: specification §6.6.2. */
function senderOf({ project, actor }: Caller, { sender_name }: NewMessage) {
  if (actor.type === 'api')
    return {
      sender_type: 'bot' as const,
      sender_id: project.id,
      sender_name: visibleOrNull(sender_name ?? '') ?? project.name,
    }
  return {
    sender_type: actor.type,
    sender_id: actor.id,
    sender_name: actor.name,
    sender_avatar_url: actor.type === 'operator' ? actor.avatar_url : null,
  }
}

/** The content of a message. */
type Content = Pick<NewMessage, 'content' | 'content_format' | 'media_ids'>

/** What only channels set, never a request. */
export type ChannelFields = Partial<
  Pick<MessageDraft, 'contact_identity' | 'channel' | 'content_html' | 'email' | 'created_at'>
>

/** A draft from the caller. */
export const ownDraft = (
  caller: Caller,
  ticketId: string,
  input: NewMessage,
  channelFields: ChannelFields = {},
): MessageDraft =>
  draftMessage({
    ticket_id: ticketId,
    ...senderOf(caller, input),
    content: input.content ?? '',
    content_format: input.content_format ?? 'text',
    is_internal: input.is_internal ?? false,
    reply_to_id: input.reply_to_id ?? null,
    external_id: input.external_id ?? null,
    key_id: caller.actor.type === 'api' ? caller.actor.id : null,
    send_at: futureOf(input.send_at),
    ...channelFields,
  })

function futureOf(sent: string | null | undefined): string | null {
  const time = sent ? parseTime(sent)! : null
  return time !== null && time > now() ? toDatabase(time) : null
}

export function requireContent({ content, content_format = 'text', media_ids = [] }: Content): void {
  if (media_ids.length === 0 && !(content && hasVisibleContent(content, content_format)))
    throw new ApiError('MESSAGE_EMPTY')
}

export interface LockedMedia {
  media: MediaItem[]
  /** Ids of files that do not exist. */
  missing: string[]
  /** Files that belong to another message. */
  used: string[]
}

/** Divides files that cannot be attached into missing and used ones. */
export async function explainMissingMedia(
  sql: Sql,
  projectId: string,
  ids: string[],
): Promise<Omit<LockedMedia, 'media'>> {
  const rows = ids.length ? await listUsedMedia(sql, projectId, ids.filter(isId)) : []
  const [missing, used] = [false, true].map(isUsed =>
    ids.filter(id => rows.some(row => row.id === id) === isUsed),
  )
  return { missing: missing!, used: used! }
}

/** Locks files for a message. They must belong to this project, be listed once, and not belong to another message. */
export async function lockMediaForMessage(tx: Tx, mediaIds: string[]): Promise<LockedMedia> {
  const ids = [...new Set(mediaIds)]
  const found = ids.length ? await lockMedia(tx, tx.projectId, ids.filter(isId)) : []
  const media = ids.flatMap(id => found.find(file => file.id === id) ?? [])
  const others = ids.filter(id => !media.some(file => file.id === id))
  return { media, ...(await explainMissingMedia(tx, tx.projectId, others)) }
}

export function requireMedia({ missing, used }: Omit<LockedMedia, 'media'>): void {
  const ids = [...missing, ...used]
  if (ids.length) throw refuse('media_ids', 'not_found', { ids, ...(used.length && { already_used: used }) })
}

/** Attaches the locked files to the message, once it is written. */
export async function attachLockedMedia(tx: Tx, { id, media }: MessageDraft): Promise<void> {
  if (media.length)
    await updateMediaAttached(
      tx,
      tx.projectId,
      id,
      media.map(file => file.id),
    )
}
