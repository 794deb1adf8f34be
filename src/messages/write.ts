import type { Fragment, Sql } from '../core/db/db.ts'
import { toDatabase } from '../core/time.ts'
import { indexVersion } from '../core/words/vector.ts'
import type { NewEvent } from '../events/catalogue.ts'
import { withEventId, writeEvents } from '../events/log.ts'
import { type DbOrTx, runWriting, type Tx } from '../events/transaction.ts'
import { inEvent } from '../media/media.ts'
import { printMessageIndex } from './indexed.ts'
import {
  callOutlets,
  firstStatus,
  followSystemInOutlets,
  isAutomatic,
  isOutgoingChannelIn,
  type OutletInput,
  prepareDraft,
} from './outlets.ts'
import type { MessageDraft, MessageRow } from './queries.ts'
import { insertMentions, markRead, noteMentions } from './read.ts'
import { previewInTicket, renderContent } from './render.ts'

/** Writes a message in one statement, so that posting takes one round trip and a short lock: decision 3. */

export const isWaiting = (draft: MessageDraft): boolean => draft.send_at !== null

export const messageCreated = (draft: MessageDraft): NewEvent => ({
  type: 'message.created',
  data: {
    id: draft.id,
    message_id: draft.id,
    ticket_id: draft.ticket_id,
    sender_type: draft.sender_type,
    sender_id: draft.sender_id,
    sender_name: draft.sender_name,
    content: draft.content,
    is_internal: draft.is_internal,
    media: draft.media.map(file => inEvent(file, draft.is_internal)),
    created_at: draft.created_at,
  },
})

/** The fields of a message that affect its ticket. */
type Said = Pick<
  MessageDraft,
  | 'id'
  | 'sender_type'
  | 'content'
  | 'content_format'
  | 'is_internal'
  | 'media'
  | 'email'
  | 'system'
  | 'created_at'
>

/** The last message of a ticket is the one with the later time, whichever is written first. */
const lastWord = (sql: Sql, draft: Said): Fragment =>
  sql`(last_message_id, last_message_at, last_message_sender_type, last_message_preview) = (
      select * from (values
        (${draft.id}::uuid, ${toDatabase(draft.created_at)}::timestamptz, ${draft.sender_type}::text,
          ${previewInTicket(draft)}::text),
        (last_message_id, last_message_at, last_message_sender_type, last_message_preview)
      ) as m (id, at, sender_type, preview) order by m.at desc nulls last limit 1)`

/** Updates the activity of a ticket for a message. System and automatic messages are counted, but are never the last message. */
export function moveActivity(sql: Sql, draft: Said): Fragment {
  const at = toDatabase(draft.created_at)
  const isSystem = draft.sender_type === 'system'
  const isReply = draft.sender_type === 'operator' && !draft.is_internal
  const isOfBot = draft.sender_type === 'bot' && !draft.is_internal && !isAutomatic(draft)
  return sql`
    messages_count = messages_count + 1
    ${isSystem || isAutomatic(draft) ? sql`` : sql`, ${lastWord(sql, draft)}`}
    ${
      draft.sender_type === 'contact'
        ? sql`, last_contact_message_at = ${at},
      waiting_since = case when status <> 'closed' then coalesce(waiting_since, ${at}::timestamptz) end,
      waited_since = case when status = 'closed' then coalesce(waited_since, ${at}::timestamptz) end`
        : sql``
    }
    ${isReply ? sql`, last_operator_message_at = ${at}, waiting_since = null, waited_since = null, first_reply_at = coalesce(first_reply_at, ${at}::timestamptz)` : sql``}
    ${isOfBot ? sql`, first_bot_reply_at = coalesce(first_bot_reply_at, ${at}::timestamptz)` : sql``}`
}

/** CTE `ticket`: the ticket of the message, with its activity locked. Merged tickets accept only system messages. */
const lockTicket = (
  sql: Sql,
  projectId: string,
  { ticket_id, sender_type }: MessageDraft,
  condition = sql``,
): Fragment =>
  sql`
    ticket as (
      select t.id, t.channel from ticket_activity a
      join tickets t on t.project_id = ${projectId} and t.id = a.ticket_id
      where a.project_id = ${projectId} and a.ticket_id = ${ticket_id}
        ${sender_type === 'system' ? sql`` : sql`and not a.is_merged`} ${condition}
      for no key update of a
    )`

const statusOf = (sql: Sql, draft: MessageDraft): Fragment =>
  isWaiting(draft) ? sql`'scheduled', 1` : firstStatus(sql, draft, sql`coalesce(${draft.channel}, t.channel)`)

/** CTE `message`: inserts the row if the ticket accepts it and the external_id is new, and updates the ticket's activity. */
function insertMessage(sql: Sql, projectId: string, draft: MessageDraft, time: Fragment): Fragment {
  const html =
    draft.content_html ??
    (draft.content_format === 'text' ? null : renderContent(draft.content, draft.content_format))
  const at = toDatabase(draft.created_at)
  const move = isWaiting(draft)
    ? sql``
    : sql`, activity as (
        update ticket_activity set ${moveActivity(sql, draft)}, updated_at = greatest(ticket_activity.updated_at, message.updated_at)
        from message where project_id = ${projectId} and ticket_id = ${draft.ticket_id}
        returning 1)`
  return sql`
    message as (
      insert into messages (project_id, id, ticket_id, sender_type, sender_id, sender_name, sender_avatar_url,
        contact_identity, content,
        content_format,
        content_html, search, search_version, is_internal, reply_to_id, channel, external_id, key_id, delivery_status, delivery_attempts,
        delivery_updated_at, send_at, email, system, after_reply, created_at, updated_at)
      select ${projectId}, ${draft.id}, t.id, ${draft.sender_type}, ${draft.sender_id}, ${draft.sender_name},
        ${draft.sender_avatar_url}, ${draft.contact_identity}, ${draft.content}, ${draft.content_format}, ${html},
        ${printMessageIndex(draft)}::text::tsvector, ${indexVersion}, ${draft.is_internal}, ${draft.reply_to_id},
        coalesce(${draft.channel}, t.channel), ${draft.external_id}, ${draft.key_id}, ${statusOf(sql, draft)}, ${at}, ${draft.send_at},
        ${draft.email}, ${draft.system}, ${draft.after_reply}, ${at}, time.at
      from ticket t, (${time}) as time
      on conflict (project_id, external_id) where external_id is not null do nothing
      returning channel, delivery_status, delivery_attempts, updated_at
    )${move}${draft.mentions.length ? insertMentions(sql, projectId, draft) : sql``}${
      draft.sender_type === 'operator' && !isWaiting(draft)
        ? sql`, read as (${markRead(sql, projectId, draft, sql`select from message`)})`
        : sql``
    }`
}

/** What the database adds to a message. */
export type WrittenFields = Pick<
  MessageRow,
  'channel' | 'delivery_status' | 'delivery_attempts' | 'updated_at'
>

/**
 * Writes a message of a bot without an external_id that is sent immediately, with its event, in one statement. Null if its ticket does
 * not exist, was merged, or has a channel whose outlet must take the message in the same transaction. The CTE `ticket` comes first:
 * to avoid deadlocks, a ticket's activity is always locked before the project's counter.
 */
export async function writeMessage(
  sql: DbOrTx,
  projectId: string,
  draft: MessageDraft,
): Promise<WrittenFields | null> {
  const happened = sql`select from ticket`
  const time = sql`select at from stamp`
  const stays = sql`and not ${isOutgoingChannelIn(sql, sql`t.channel`)}`
  const log = writeEvents(sql, projectId, [withEventId(messageCreated(draft))], happened)
  const statement = sql<(WrittenFields & { fanned_out: unknown })[]>`
    with ${lockTicket(sql, projectId, draft, stays)}, ${log.ctes},
      ${insertMessage(sql, projectId, draft, time)}
    select *, ${log.value} as fanned_out from message`
  const row = await runWriting(sql, projectId, log, statement)
  if (!row) return null
  const { fanned_out: _, ...written } = row
  return written
}

/** Like `writeMessage`, but as part of a larger change, and for waiting messages. Also null if the external_id is taken. */
export async function addMessage(
  tx: Tx,
  written: MessageDraft,
  input: OutletInput = {},
): Promise<{ channel: string } | null> {
  const draft = await prepareDraft(tx, written, input)
  // A placeholder until the log is written, because the clock of this process may be ahead.
  const time = tx`select '-infinity'::timestamptz as at`
  const [row] = await tx<{ channel: string }[]>`
    with ${lockTicket(tx, tx.projectId, draft)}, ${insertMessage(tx, tx.projectId, draft, time)}
    select channel from message`
  if (!row) return null
  tx.touch('message', draft.id)
  if (draft.send_at !== null) tx.noteDue('messages', draft.send_at)
  if (isWaiting(draft)) return row
  tx.touch('ticket', draft.ticket_id)
  await callOutlets(tx, { ...draft, channel: row.channel })
  await noteMentions(tx, draft)
  tx.emit(messageCreated(draft))
  await followSystemInOutlets(tx, { ...draft, channel: row.channel })
  return row
}
