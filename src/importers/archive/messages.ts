import { isRecord } from '../../core/objects.ts'
import type { ImportedLaterMessage, ImportedMessage } from '../../imports/schema.ts'
import { exportedTime } from './contacts.ts'
import type { ExportedMessage } from './record-rows.ts'
import { type Ids, renameIds } from './rename-ids.ts'

/** It is not known whether a message that was waiting has been sent since. */
const unknownDelivery = 'It was waiting to be sent when the project was exported'

function toDelivery(row: ExportedMessage): ImportedMessage['delivery'] {
  const { delivery_status: status, delivery_error, delivery_attempts, delivery_updated_at } = row
  const attempts = { attempts: delivery_attempts, updated_at: exportedTime(delivery_updated_at) }
  return status === 'pending' || status === 'scheduled'
    ? { ...attempts, status: 'failed', error: unknownDelivery }
    : { ...attempts, status, error: delivery_error }
}

function toAuthor(row: ExportedMessage, operators: Ids): ImportedMessage['author'] {
  const { sender_type: type, sender_id, sender_name: name, sender_avatar_url: avatar_url } = row
  const shown = { type, name, avatar_url }
  if (type === 'contact') return { ...shown, source_id: sender_id }
  return type === 'operator' ? { ...shown, id: sender_id && (operators.get(sender_id) ?? null) } : shown
}

const toReaction =
  (operators: Ids) =>
  ({ emoji, reactor_kind, reactor_id, created_at }: ExportedMessage['reactions'][number]) => ({
    emoji,
    reactor_kind,
    ...(reactor_kind === 'contact' ? { source_id: reactor_id } : { id: operators.get(reactor_id) ?? null }),
    created_at: exportedTime(created_at)!,
  })

const toDetails = ({ headers, quoted_text, quoted_html }: ExportedMessage['mail'][number]) => ({
  headers,
  quoted_text,
  quoted_html,
})

/** The mailbox and the original email are not imported. */
function toEmail({ email, mail: [details], recipients }: ExportedMessage): ImportedMessage['email'] {
  if (!email) return null
  const { mailbox_id: _, related_ticket_id: __, ...fields } = email
  return {
    ...fields,
    has_raw: false,
    recipients: recipients.map(one => ({ ...one, updated_at: exportedTime(one.updated_at)! })),
    ...(details && toDetails(details)),
  }
}

/** API keys are not imported. Unknown operators keep their ids, because a missing id would mean that nobody was assigned. */
const toSystem = (system: Record<string, unknown>, operators: Ids): Record<string, unknown> =>
  JSON.parse(JSON.stringify(renameIds(system, operators)), (_, value) =>
    isRecord(value) && value.type === 'api' ? { ...value, id: null } : value,
  )

/** `operators` and `files` map ids of the export to ids of the project. */
export function fromExportedMessage(row: ExportedMessage, operators: Ids, files: Ids): ImportedLaterMessage {
  return {
    source_id: row.id,
    ticket: row.ticket_id,
    author: toAuthor(row, operators),
    content: row.content,
    content_format: row.content_format,
    content_html: row.content_html && renameIds(row.content_html, files),
    is_internal: row.is_internal,
    reply_to: row.reply_to_id,
    moved_from: row.origin_ticket_id,
    channel: row.channel,
    external_id: row.external_id,
    media_ids: [...files.values()],
    email: renameIds(toEmail(row), files),
    system: row.system && toSystem(row.system, operators),
    delivery: toDelivery(row),
    contact_identity: row.contact_identity,
    reactions: row.reactions.map(toReaction(operators)),
    created_at: exportedTime(row.created_at)!,
    updated_at: exportedTime(row.updated_at),
    edited_at: exportedTime(row.edited_at),
    deleted_at: exportedTime(row.deleted_at),
  }
}
