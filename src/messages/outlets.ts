import type { Fragment, Sql } from '../core/db/db.ts'
import { refuse } from '../core/errors.ts'
import type { Tx } from '../events/transaction.ts'
import type { MessageDraft } from './queries.ts'
import type { NewEmail } from './schema.ts'

/** Channels that send messages outside Deskbell. A message is `pending` until its channel has sent it. */
const outgoingNames = ['email', 'telegram']

/** The project's own programs send the messages of custom channels. */
const customPrefix = 'custom:'

/** Whether the channel sends messages outside Deskbell. */
export const isOutgoingChannel = (channel: string): boolean =>
  outgoingNames.includes(channel) || channel.startsWith(customPrefix)

/** Channels in which nobody writes to each other: tickets from the API, and calls and visits that operators record. */
const withoutMessenger = ['api', 'phone', 'walk_in']

/** Whether replies in the channel reach the contact only if they are sent by email or Telegram. */
export const hasNoMessenger = (channel: string): boolean => withoutMessenger.includes(channel)

/** `isOutgoingChannel` as a condition in SQL. */
export const isOutgoingChannelIn = (sql: Sql, channel: Fragment): Fragment =>
  sql`(${channel} = any(${outgoingNames}) or starts_with(${channel}, ${customPrefix}))`

/** A stored message with its channel. */
export type WrittenMessage = MessageDraft & { channel: string }

/** What a request says about how a message is sent. */
export interface OutletInput {
  email?: NewEmail | null | undefined
  /** The mailbox with which a conversation begins. */
  mailbox_id?: string | null | undefined
  /** Whether it is an automatic email, such as an acknowledgement. */
  is_automatic?: boolean
}

/**
 * Sends messages to their contacts. Both functions run in the transaction of a public message: every operator's message, and in
 * outgoing channels every bot's message too.
 */
export interface Outlet {
  /** Completes a message before it is stored, for example with its recipients or another channel. The message may be scheduled for later. */
  prepare?(tx: Tx, draft: WrittenMessage, input: OutletInput): Promise<WrittenMessage>
  /** Whether the project can write to the contact in this channel first. */
  canReach?(tx: Tx, channel: string, contactId: string): Promise<boolean>
  /** Sends a message that has become visible. */
  send(tx: Tx, message: WrittenMessage): Promise<void>
  /** Sends a message again to the recipients for whom it failed. */
  retry?(tx: Tx, message: RetriedMessage): Promise<void>
  /** Makes sure that a pending message is sent with its edited text. Returns false if the old text may have been sent. */
  edit?(tx: Tx, message: Pick<WrittenMessage, 'id' | 'channel'>): Promise<boolean>
  /** Changes the text of a message that was sent. Returns false if its channel cannot do that. */
  editSent?(tx: Tx, message: Pick<WrittenMessage, 'id' | 'channel'>): Promise<boolean>
  /** Tells the contact that an operator's reactions to a message have changed. */
  react?(tx: Tx, messageId: string): Promise<void>
  /** Called for each public message of the system, such as the one about a closed ticket. */
  followSystem?(tx: Tx, message: WrittenMessage): Promise<void>
}

export type RetriedMessage = Pick<
  WrittenMessage,
  'id' | 'ticket_id' | 'sender_type' | 'sender_name' | 'channel' | 'email'
>

declare module '../events/log.ts' {
  interface Hooks {
    /** Undefined in programs that write no messages. */
    outlets?: Outlet[]
  }
}

function requireOutlets({ hooks }: Tx): Outlet[] {
  // With an empty default list, messages would be lost silently.
  if (!hooks?.outlets)
    throw new Error('Messages are written only through a pool with outlets; see connectChannels')
  return hooks.outlets
}

/** `system` of a message that Deskbell sent automatically in a messenger. */
export const automaticSystem = (text: string): Record<string, unknown> => ({
  kind: 'automatic_message',
  data: { text },
})

/** Whether Deskbell sent a message automatically, such as an acknowledgement. It counts neither as a reply nor as the last message. */
export const isAutomatic = ({
  sender_type,
  email,
  system,
}: Pick<MessageDraft, 'sender_type' | 'email' | 'system'>): boolean =>
  sender_type === 'bot' && (email?.class === 'auto_reply' || system?.kind === 'automatic_message')

/** `isAutomatic` as a condition on messages in SQL. */
export const isAutomaticIn = (sql: Sql): Fragment =>
  sql`(sender_type = 'bot' and (coalesce(email->>'class' = 'auto_reply', false)
    or coalesce(system->>'kind' = 'automatic_message', false)))`

/** Whether a message must be sent to the contact if its channel sends messages outside Deskbell. */
const mayBeOutgoing = ({ sender_type, is_internal }: Pick<MessageDraft, 'sender_type' | 'is_internal'>) =>
  !is_internal && (sender_type === 'operator' || sender_type === 'bot')

/** Whether a message must be sent to the contact. */
export const isOutgoing = (
  message: Pick<MessageDraft, 'sender_type' | 'is_internal'>,
  channel: string,
): boolean => mayBeOutgoing(message) && (message.sender_type === 'operator' || isOutgoingChannel(channel))

/** Whether an internal note forwards a message of the ticket to a third party. */
const isForward = ({ is_internal, email }: Pick<MessageDraft, 'is_internal' | 'email'>): boolean =>
  is_internal && email?.forwarded !== undefined

/** Whether a message is sent out of Deskbell, to the contact or to a third party. */
export const isSentOut = (
  message: Pick<MessageDraft, 'sender_type' | 'is_internal' | 'email'>,
  channel: string,
): boolean => isForward(message) || isOutgoing(message, channel)

/** The initial delivery status and number of attempts of a message that becomes visible. If it leaves Deskbell, it waits for its channel. */
export function firstStatus(
  sql: Sql,
  message: Pick<MessageDraft, 'sender_type' | 'is_internal' | 'email'>,
  channel: Fragment,
): Fragment {
  const mayLeave = isForward(message) || mayBeOutgoing(message)
  const leaves = mayLeave ? isOutgoingChannelIn(sql, channel) : sql`false`
  return sql`case when ${leaves} then 'pending' else 'sent' end, case when ${leaves} then 0 else 1 end`
}

async function findChannel(tx: Tx, ticketId: string): Promise<string | null> {
  const [row] = await tx<{ channel: string }[]>`
    select channel from tickets where project_id = ${tx.projectId} and id = ${ticketId}`
  return row?.channel ?? null
}

/** Completes a draft for its channel. */
export async function prepareDraft(tx: Tx, draft: MessageDraft, input: OutletInput): Promise<MessageDraft> {
  if (!input.email && !mayBeOutgoing(draft)) return draft
  const channel = draft.channel ?? (await findChannel(tx, draft.ticket_id))
  if (channel === null) return draft
  const isSent = isOutgoing(draft, channel)
  let prepared: WrittenMessage = { ...draft, channel }
  if (isSent)
    for (const { prepare } of requireOutlets(tx)) if (prepare) prepared = await prepare(tx, prepared, input)
  if (input.email && !(isSent && prepared.channel === 'email')) throw refuse('email', 'not_by_email')
  return prepared
}

/** Whether a conversation with the contact can begin in this channel. */
export async function canReachInOutlets(tx: Tx, channel: string, contactId: string): Promise<boolean> {
  for (const { canReach } of requireOutlets(tx)) if (await canReach?.(tx, channel, contactId)) return true
  return false
}

export async function callOutlets(tx: Tx, message: WrittenMessage): Promise<void> {
  if (!isOutgoing(message, message.channel)) return
  for (const { send } of requireOutlets(tx)) await send(tx, message)
}

/** Returns false if the old text may have been sent. */
export async function editInOutlets(
  tx: Tx,
  message: Pick<WrittenMessage, 'id' | 'channel'>,
): Promise<boolean> {
  for (const { edit } of requireOutlets(tx)) if (edit && !(await edit(tx, message))) return false
  return true
}

/** Returns whether some channel changes the text of a message that was sent. */
export async function editSentInOutlets(
  tx: Tx,
  message: Pick<WrittenMessage, 'id' | 'channel'>,
): Promise<boolean> {
  for (const { editSent } of requireOutlets(tx)) if (await editSent?.(tx, message)) return true
  return false
}

export async function reactInOutlets(tx: Tx, messageId: string): Promise<void> {
  for (const { react } of requireOutlets(tx)) await react?.(tx, messageId)
}

/** Only messages in channels that leave Deskbell are of interest. */
export async function followSystemInOutlets(tx: Tx, message: WrittenMessage): Promise<void> {
  if (message.sender_type !== 'system' || message.is_internal || !isOutgoingChannel(message.channel)) return
  for (const { followSystem } of requireOutlets(tx)) await followSystem?.(tx, message)
}

export async function retryInOutlets(tx: Tx, message: RetriedMessage): Promise<void> {
  for (const { retry } of requireOutlets(tx)) await retry?.(tx, message)
}
