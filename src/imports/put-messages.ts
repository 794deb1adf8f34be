import { toDatabase } from '../core/time.ts'
import { draftMessage, messageCreated, previewInTicket } from '../messages/messages.ts'
import { type CountedMessage, countActivity } from './activity.ts'
import { isKnownChannel } from './channels.ts'
import {
  insertImportedMessages,
  insertReactions,
  type NewMessageRow,
  updateMediaPlaces,
} from './message-queries.ts'
import {
  assignFiles,
  createExternalIdCheck,
  findAnswered,
  type PlacedMessage,
  placeMessages,
  type TicketWithMessages,
} from './place-messages.ts'
import { putEmails, toStoredEmail } from './put-emails.ts'
import { insertRecords } from './queries.ts'
import { findReferred, type ReferredRecords } from './references.ts'
import type { ImportRun } from './run.ts'
import { describeImportedSender, type KnownPeople, reactionsOf } from './senders.ts'
import type { ActivityRow } from './ticket-queries.ts'

/** Writes the messages of imported tickets. */

async function attachFiles({ tx }: ImportRun, placed: PlacedMessage[]): Promise<void> {
  const places = placed.flatMap(({ id: message_id, media }) =>
    media.map(({ id }, at) => ({ id, message_id, position: at + 1 })),
  )
  if (places.length) await updateMediaPlaces(tx, tx.projectId, places)
}

function toRow(
  one: PlacedMessage,
  people: KnownPeople,
): Omit<NewMessageRow, 'reply_to_id' | 'external_id' | keyof ReferredRecords> {
  const { id, ticket, prepared } = one
  const { item } = prepared
  const { delivery } = item
  const orNull = (time: string | null) => time && toDatabase(time)
  return {
    id,
    ticket_id: ticket.ticket_id,
    ...describeImportedSender(one, people),
    contact_identity: item.contact_identity ?? null,
    content: item.content,
    content_format: item.content_format ?? 'text',
    content_html: prepared.html,
    is_internal: item.is_internal ?? false,
    channel: item.channel && isKnownChannel(item.channel) ? item.channel : ticket.channel,
    delivery_status: delivery?.status ?? 'sent',
    delivery_error: delivery?.error ?? null,
    delivery_attempts: delivery?.attempts ?? 1,
    delivery_updated_at: toDatabase(prepared.delivery_updated_at),
    email: item.email ? toStoredEmail(item.email) : null,
    created_at: toDatabase(prepared.created_at),
    updated_at: toDatabase(prepared.updated_at),
    edited_at: orNull(prepared.edited_at),
    deleted_at: orNull(prepared.deleted_at),
    search: prepared.search,
  }
}

const toCounted = ({ id, prepared, media }: PlacedMessage, row: NewMessageRow): CountedMessage => {
  const { item, created_at } = prepared
  const { content, content_format = 'text', author, is_internal = false, system = null } = item
  return {
    id,
    sender_type: author.type,
    is_internal,
    email: item.email ? toStoredEmail(item.email) : null,
    system,
    created_at,
    preview: row.deleted_at ? '' : previewInTicket({ content, content_format, media }),
  }
}

function emitCreated({ tx }: ImportRun, placed: PlacedMessage[], rows: NewMessageRow[]): void {
  const drafts = placed.map(({ id, ticket, media, prepared: { item, created_at } }, at) => {
    const { sender_id, sender_name } = rows[at]!
    return draftMessage({
      ...{ id, ticket_id: ticket.ticket_id, sender_type: item.author.type, sender_id, sender_name },
      ...{ content: item.content, is_internal: item.is_internal ?? false, media, created_at },
    })
  })
  tx.emit(...drafts.map(messageCreated))
}

/** Writes the messages that are not imported yet, and returns the activity that they cause in each ticket. */
export async function putMessages(
  run: ImportRun,
  tickets: TicketWithMessages[],
  people: KnownPeople,
): Promise<Map<string, ActivityRow>> {
  const { tx, source, counts } = run
  const { projectId } = tx
  const { placed, ids } = await placeMessages(run, tickets)
  if (!placed.length) return new Map()
  await assignFiles(run, placed)
  const answeredBy = await findAnswered(run, placed, ids)
  const referredBy = await findReferred(run, placed, ids)
  const externalIdOf = await createExternalIdCheck(run, placed)
  const rows = placed.map(one => ({
    ...toRow(one, people),
    ...referredBy(one),
    reply_to_id: answeredBy(one),
    external_id: externalIdOf(one),
  }))
  await insertImportedMessages(tx, projectId, rows)
  await attachFiles(run, placed)
  const reactions = placed.flatMap(one => reactionsOf(one, people))
  if (reactions.length) await insertReactions(tx, projectId, reactions)
  await putEmails(run, placed)
  const records = placed.map(({ id, prepared }) => ({ source_id: prepared.item.source_id, record_id: id }))
  await insertRecords(tx, projectId, source, 'message', records)
  counts.messages += placed.length
  if (run.emits) emitCreated(run, placed, rows)
  const counted = Map.groupBy(placed.keys(), at => placed[at]!.ticket.ticket_id)
  return new Map(
    [...counted].map(([id, places]) => [
      id,
      countActivity(
        id,
        [...places].map(at => toCounted(placed[at]!, rows[at]!)),
      ),
    ]),
  )
}
