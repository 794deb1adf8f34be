import type { Caller } from '../core/endpoint.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { type ChannelFields, ownDraft, postLocked, requireContent } from '../messages/messages.ts'
import type { NewMessage } from '../messages/schema.ts'
import { noteForOperators } from '../operators/operators.ts'
import { reopenLocked } from './close.ts'
import { openTicket } from './create.ts'
import { getSurvivor, getTicket } from './find.ts'
import { type LockedTicket, updateTicket } from './queries.ts'
import { emitMove } from './status.ts'

/** Messages of contacts, and their effect on the ticket, which becomes open. */

export interface ContactMessage {
  content: string
  content_format?: NewMessage['content_format']
  media_ids?: string[]
  reply_to_id?: string | null
  external_id?: string | null
  fields: ChannelFields & { channel: string }
  /** For automatic replies: the message neither opens the ticket nor begins another one. */
  keepsStatus?: boolean
  /** The message stays in this ticket, which is reopened even if it was closed long ago. */
  isChosen?: boolean
}

interface Heard {
  ticket_id: string
  message_id: string
  isNew: boolean
}

/** Whether a message may still reopen the closed ticket. */
async function isRecent(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ is_recent: boolean }[]>`
    select t.closed_at > now() - make_interval(days => p.reopen_days) as is_recent
    from tickets t join projects p on p.id = t.project_id
    where t.project_id = ${tx.projectId} and t.id = ${id}`
  return row!.is_recent
}

/** A ticket that was closed long ago stays closed. The message creates a new ticket that follows it. */
async function followTicket(
  tx: Tx,
  caller: Caller,
  ticket: LockedTicket,
  { content, content_format, media_ids, external_id, fields }: ContactMessage,
): Promise<Heard> {
  const { actor } = caller
  const owner = { id: actor.id, name: 'name' in actor ? actor.name : null, isBlocked: false }
  const id = await openTicket(tx, caller, owner, {
    content,
    content_format,
    media_ids: media_ids ?? [],
    channel: fields.channel,
    contact_identity: fields.contact_identity ?? null,
    message_fields: fields,
    message_external_id: external_id ?? null,
    follow_up_of_id: ticket.id,
  })
  const { last_message } = await getTicket(tx, tx.projectId, id)
  return { ticket_id: id, message_id: last_message!.id, isNew: true }
}

async function moveOn(tx: Tx, by: ChangedBy, ticket: LockedTicket): Promise<void> {
  if (ticket.status === 'new' || ticket.status === 'open') return
  emitMove(tx, ticket.id, ticket.status, 'open', 'contact_reply')
  if (ticket.status === 'closed') return reopenLocked(tx, by, ticket)
  const fields = { status: 'open' as const, snoozed_until: null }
  await updateTicket(tx, by, ticket.id, fields)
}

const noteWaiting = (tx: Tx, { id, operator_id, is_spam }: LockedTicket, messageId: string): Promise<void> =>
  noteForOperators(
    tx,
    { kind: 'waiting', ticketId: id, messageId },
    operator_id === null || is_spam ? [] : [operator_id],
  )

/** Posts a contact's message. The caller has already looked for the external_id. */
export function hearContact(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  input: ContactMessage,
): Promise<Heard> {
  return transact(store, caller.project.id, async tx => {
    const ticket = await getSurvivor(tx, reference)
    // A mail may be empty.
    if (!input.fields.email) requireContent(input)
    if (!input.keepsStatus) {
      if (ticket.status === 'closed' && !input.isChosen && !(await isRecent(tx, ticket.id)))
        return followTicket(tx, caller, ticket, input)
      await moveOn(tx, changedBy(caller), ticket)
    }
    const draft = ownDraft(caller, ticket.id, input, input.fields)
    const { id, isNew } = await postLocked(tx, draft, input)
    if (isNew && !input.keepsStatus) await noteWaiting(tx, ticket, id)
    return { ticket_id: ticket.id, message_id: id, isNew }
  })
}
