import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse, requireVersion } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import type { NewEvent } from '../events/catalogue.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { updateDelivery } from './delivery.ts'
import { requireContent } from './draft.ts'
import { changeAndGetMessage, getTicketId } from './find.ts'
import { updateMessageText } from './message-text.ts'
import { editInOutlets, editSentInOutlets, isSentOut, retryInOutlets } from './outlets.ts'
import { lockMessage, type MessageRow } from './queries.ts'
import { renderContent } from './render.ts'
import type { Message, MessageChange, MessageEmail, StoredEmail } from './schema.ts'

/** People may change only their own messages, admins all. */
export function requireAuthor({ actor }: Caller, row: Pick<MessageRow, 'sender_type' | 'sender_id'>): void {
  if (actor.type !== 'operator' || actor.role !== 'operator') return
  if (row.sender_type !== 'operator' || row.sender_id !== actor.id)
    throw new ApiError('ROLE_REQUIRED', { role: 'admin' })
}

async function lockWritten(tx: Tx, id: string): Promise<MessageRow> {
  const row = isId(id) ? await lockMessage(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('MESSAGE_NOT_FOUND')
  return row
}

const isSent = (row: MessageRow): boolean =>
  isSentOut(row, row.channel) && ['sent', 'delivered', 'read'].includes(row.delivery_status)

/** A sent e-mail cannot be changed for its recipient. Only the stored copy changes, and its delivery shows this. */
const isGone = (row: MessageRow): boolean => row.channel === 'email' && isSent(row)

/** A pending message is sent with the new text, unless the old text may already have been sent. */
async function updateInOutlets(tx: Tx, row: MessageRow): Promise<void> {
  if (isSent(row) && (await editSentInOutlets(tx, row))) return
  if (row.delivery_status !== 'pending' || (await editInOutlets(tx, row))) return
  await updateDelivery(tx, row.id, { status: 'pending', error: 'edit_not_propagated' })
}

async function updateContent(tx: Tx, row: MessageRow, change: MessageChange): Promise<string> {
  const content_format = change.content_format ?? row.content_format
  const content_html = content_format === 'text' ? null : renderContent(change.content, content_format)
  const editedAt = now()
  const delivery = isGone(row) ? 'edit_not_propagated' : row.delivery_error
  const others = tx`edited_at = ${toDatabase(editedAt)}, delivery_error = ${delivery}`
  await updateMessageText(tx, row, { content: change.content, content_format, content_html }, others)
  return editedAt
}

export const messageEdited = (
  row: MessageRow,
  { content }: Pick<MessageChange, 'content'>,
  editedAt: string,
): NewEvent => ({
  type: 'message.edited',
  data: {
    id: row.id,
    message_id: row.id,
    ticket_id: row.ticket_id,
    content,
    is_internal: row.is_internal,
    edited_at: editedAt,
  },
})

const isSame = (row: MessageRow, { content, content_format = row.content_format }: MessageChange): boolean =>
  content === row.content && content_format === row.content_format

/** Editing a scheduled message emits no event, because readers of the log do not know it yet. Its event will have the new text. */
export function editMessage(
  store: DbOrTx,
  caller: Caller,
  id: string,
  change: MessageChange,
  version: number | null,
  ticketReference?: string,
): Promise<Message> {
  const projectId = caller.project.id
  return changeAndGetMessage(store, projectId, async tx => {
    const ticketId = ticketReference && (await getTicketId(tx, projectId, ticketReference))
    const row = await lockWritten(tx, id)
    if (ticketId && row.ticket_id !== ticketId) throw new ApiError('MESSAGE_NOT_FOUND')
    requireVersion(version, row)
    if (row.sender_type === 'system') throw refuse('message_id', 'system_message')
    requireAuthor(caller, row)
    requireContent({ content_format: row.content_format, ...change })
    if (isSame(row, change)) return id
    const editedAt = await updateContent(tx, row, change)
    await updateInOutlets(tx, row)
    if (row.delivery_status !== 'scheduled') tx.emit(messageEdited(row, change, editedAt))
    return id
  })
}

function toStored({ recipients: _, ...email }: MessageEmail): StoredEmail {
  return email
}

/** Whether the message failed for all or some of its recipients. */
const hasFailed = ({ delivery_status, email }: MessageRow): boolean =>
  delivery_status === 'failed' ||
  (['sent', 'delivered', 'read'].includes(delivery_status) &&
    (email?.recipients ?? []).some(({ status }) => status === 'failed'))

/** Sends a message again to the recipients for whom it failed. */
export function retryMessage(store: DbOrTx, projectId: string, id: string): Promise<Message> {
  return changeAndGetMessage(store, projectId, async tx => {
    const row = await lockWritten(tx, id)
    if (!hasFailed(row)) throw refuse('message_id', 'not_failed', { status: row.delivery_status })
    await tx`
      update messages set delivery_status = 'pending', delivery_error = null, delivery_updated_at = ${toDatabase(now())},
        version = version + 1
      where project_id = ${projectId} and id = ${id}`
    tx.touch('message', id)
    await retryInOutlets(tx, { ...row, email: row.email && toStored(row.email) })
    return id
  })
}
