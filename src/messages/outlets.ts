import type { Tx } from '../events/transaction.ts'
import type { MessageDraft } from './queries.ts'

/** Channels in which a message leaves Deskbell. It is `pending` until the channel has sent it. */
export const outgoingChannels = ['email', 'telegram']

/** A message that has been written, in its channel. */
export type WrittenMessage = MessageDraft & { channel: string }

/**
 * Takes a message to its contact. Runs in the transaction that makes a public message visible: every message of an operator, and in
 * outgoing channels also every message of a bot.
 */
export type Outlet = (tx: Tx, message: WrittenMessage) => Promise<void>

let outlets: Outlet[] | null = null

/** Called once by each process that writes messages. */
export const setOutlets = (list: Outlet[]): void => {
  outlets = list
}

/** Whether a message goes out to the contact. */
export const isOutgoing = (
  { sender_type, is_internal }: Pick<MessageDraft, 'sender_type' | 'is_internal'>,
  channel: string,
): boolean =>
  !is_internal &&
  (sender_type === 'operator' || (sender_type === 'bot' && outgoingChannels.includes(channel)))

export async function callOutlets(tx: Tx, message: WrittenMessage): Promise<void> {
  if (!isOutgoing(message, message.channel)) return
  // An empty list by default would lose messages silently.
  if (!outlets) throw new Error('This process has not set its outlets for messages; see app.ts')
  for (const outlet of outlets) await outlet(tx, message)
}
