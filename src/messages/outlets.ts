import type { Fragment, Sql } from '../core/db.ts'
import type { Tx } from '../events/transaction.ts'
import type { MessageDraft } from './queries.ts'

/** Channels that send messages outside Deskbell. A message is `pending` until its channel has sent it. */
export const outgoingChannels = ['email', 'telegram']

/** A stored message with its channel. */
export type WrittenMessage = MessageDraft & { channel: string }

/**
 * Sends a message to its contact. Runs in the transaction that makes a public message visible: every operator's message, and in
 * outgoing channels every bot's message too.
 */
export type Outlet = (tx: Tx, message: WrittenMessage) => Promise<void>

let outlets: Outlet[] | null = null

/** Called once by each process that writes messages. */
export const setOutlets = (list: Outlet[]): void => {
  outlets = list
}

/** Whether a message must be sent to the contact. */
export const isOutgoing = (
  { sender_type, is_internal }: Pick<MessageDraft, 'sender_type' | 'is_internal'>,
  channel: string,
): boolean =>
  !is_internal &&
  (sender_type === 'operator' || (sender_type === 'bot' && outgoingChannels.includes(channel)))

/** The initial delivery status and number of attempts of a message that becomes visible. If it leaves Deskbell, it waits for its channel. */
export function firstStatus(
  sql: Sql,
  message: Pick<MessageDraft, 'sender_type' | 'is_internal'>,
  channel: Fragment,
): Fragment {
  const mayLeave = outgoingChannels.some(name => isOutgoing(message, name))
  const leaves = mayLeave ? sql`${channel} = any(${outgoingChannels})` : sql`false`
  return sql`case when ${leaves} then 'pending' else 'sent' end, case when ${leaves} then 0 else 1 end` as Fragment
}

export async function callOutlets(tx: Tx, message: WrittenMessage): Promise<void> {
  if (!isOutgoing(message, message.channel)) return
  // With an empty default list, messages would be lost silently.
  if (!outlets) throw new Error('This process has not set its outlets for messages; see app.ts')
  for (const outlet of outlets) await outlet(tx, message)
}
