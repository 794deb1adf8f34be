import { type ChannelPerson, upsertChannelContact } from '../../contacts/contacts.ts'
import type { Caller } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { now, parseTime } from '../../core/time.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../../events/transaction.ts'
import { findSurvivor, getMessage, requireContent } from '../../messages/messages.ts'
import type { Message } from '../../messages/schema.ts'
import { type ReceivedMessage, receiveMessage } from '../../tickets/tickets.ts'
import { findChannelMessage, findConversation, insertReceived, lockAccountInUse } from './message-queries.ts'
import type { Messenger, MessengerAccount } from './messenger.ts'

/** Posts a contact's message that was received from a messenger. */

export interface MessengerMessage {
  /** The message's id in the messenger. */
  external_id: string
  contact: Omit<ChannelPerson, 'channel_id' | 'source'>
  content?: string | null
  content_format?: ReceivedMessage['content_format']
  media_ids?: string[]
  reply_to_external_id?: string | null
  /** When the message was written; now by default. */
  created_at?: string | null
}

interface Place {
  messenger: Messenger
  account: MessengerAccount
}

interface Posted {
  id: string
  /** False if a message with the same external_id was posted before. `id` is then the id of that message. */
  isNew: boolean
}

/** Another request has posted a message with the same external_id for another contact at the same time. */
class AlreadyPosted extends Error {}

/** Null means now. A time in the future counts as now. */
function writtenAt({ created_at }: MessengerMessage): string | null {
  const time = created_at ? parseTime(created_at) : null
  return time !== null && time < now() ? time : null
}

async function findEarlier(
  tx: Tx,
  { messenger, account }: Place,
  externalId: string,
): Promise<Posted | null> {
  const found = await findChannelMessage(tx, messenger, tx.projectId, account.id, externalId)
  return found && { id: found.message_id, isNew: false }
}

/** Ignores messages of other contacts: in many messengers a writer can refer to any message, and would get the replies in the other contact's ticket. */
async function findAnswered(
  tx: Tx,
  { messenger, account }: Place,
  { contact, reply_to_external_id }: MessengerMessage,
) {
  if (!reply_to_external_id) return null
  const found = await findChannelMessage(tx, messenger, tx.projectId, account.id, reply_to_external_id)
  return found?.contact_external_id === contact.external_id ? found : null
}

/** A reply to an older message is added to that message's ticket. */
async function readMessage(tx: Tx, { messenger, account }: Place, input: MessengerMessage) {
  const { contact, content, content_format, media_ids = [] } = input
  const { projectId } = tx
  const conversation = await findConversation(tx, messenger, projectId, account.id, contact.external_id)
  const answered = await findAnswered(tx, { messenger, account }, input)
  const joined = answered?.ticket_id ?? conversation.ticket_id
  const message: Omit<ReceivedMessage, 'language'> = {
    channel: account.channel,
    content: content ?? '',
    content_format,
    media_ids,
    written_at: writtenAt(input),
    previous_at: conversation.last_received_at,
    answered,
    department_id: account.department_id,
  }
  return { message, ticketId: joined && (await findSurvivor(tx, projectId, joined)) }
}

async function post(
  tx: Tx,
  caller: Pick<Caller, 'project'>,
  place: Place,
  input: MessengerMessage,
): Promise<Posted> {
  const { messenger, account } = place
  const { external_id, contact } = input
  if (!(await lockAccountInUse(tx, messenger, tx.projectId, account.id)))
    throw new ApiError(messenger.notFound)
  const earlier = await findEarlier(tx, place, external_id)
  if (earlier) return earlier
  requireContent(input)
  const writer = await upsertChannelContact(tx, {
    ...{ ...contact, channel_id: account.id, source: account.channel },
  })
  // This transaction now holds the contact's lock, so a repeated request has either finished or is waiting.
  const repeated = await findEarlier(tx, place, external_id)
  if (repeated) return repeated
  if (writer.isBlocked) throw new ApiError('CONTACT_BLOCKED')
  const { message, ticketId } = await readMessage(tx, place, input)
  const complete = { ...message, language: writer.language }
  const { messageId } = await receiveMessage(tx, caller.project, writer, ticketId, complete)
  const row = {
    message_id: messageId,
    channel_id: account.id,
    contact_external_id: contact.external_id,
    external_id,
  }
  if (!(await insertReceived(tx, messenger, tx.projectId, row))) throw new AlreadyPosted()
  return { id: messageId, isNew: true }
}

/** Posts the message once, however often the request is repeated. */
export async function postChannelMessage(
  store: DbOrTx,
  caller: Pick<Caller, 'project'>,
  place: Place,
  input: MessengerMessage,
): Promise<{ message: Message; isNew: boolean }> {
  const run = () =>
    transactAndRead(
      store,
      caller.project.id,
      tx => post(tx, caller, place, input),
      async (tx, { id, isNew }) => ({ message: await getMessage(tx, tx.projectId, id), isNew }),
    )
  return run().catch(error => {
    if (error instanceof AlreadyPosted) return run()
    throw error
  })
}
