import type { Tx } from '../../../events/transaction.ts'
import { type ClaimedMessage, deleteQueued, recordDelivery, recordHeld } from '../../../outgoing/outgoing.ts'
import { noteFailedDelivery } from '../../../tickets/tickets.ts'
import { updateChatBlocked } from '../incoming/message-queries.ts'
import type { SendingDeps } from './open-send.ts'
import { updateChatSent } from './rate-queries.ts'
import { wakeIfQueued } from './record.ts'
import type { SendRow } from './send-queries.ts'

/** Records that a message has failed. */

export interface SendFailure {
  /** The code of the server's answer. */
  code: string | null
  words: string
  /** Whether the bot is not allowed to write in the chat. */
  isBlocked?: boolean
}

const noteFailure = (tx: Tx, send: SendRow, { code, words }: SendFailure): Promise<void> =>
  noteFailedDelivery(tx, send.ticket_id, {
    address: send.title,
    code,
    words,
    message_id: send.id,
    channel: 'telegram',
  })

/**
 * If the project wants it, an operator's reply to a person who has blocked the bot is emailed instead. The ticket does not mention
 * automatic messages that fail.
 */
export async function recordSendFailed(
  { db, sendByEmail }: SendingDeps,
  claimed: ClaimedMessage,
  send: SendRow,
  failure: SendFailure,
): Promise<void> {
  const { words, isBlocked = false } = failure
  const mayBeEmailed = isBlocked && send.sender_type === 'operator' && send.telegram_chat_id > 0
  const isHeld = await recordHeld(db, claimed, async tx => {
    const { projectId } = tx
    if (isBlocked) await updateChatBlocked(tx, projectId, claimed.account_id, true)
    await updateChatSent(tx, projectId, claimed.account_id)
    await recordDelivery(tx, 'telegram', send.id, { status: 'failed', error: words, attempts: 1 })
    if (!mayBeEmailed || !sendByEmail) {
      if (!send.is_automatic) await noteFailure(tx, send, failure)
      return (await deleteQueued(tx, claimed)) || null
    }
    // The email replaces the message in the queue.
    if (!(await deleteQueued(tx, claimed))) return null
    if (!(await sendByEmail(tx, send))) await noteFailure(tx, send, failure)
    return true
  })
  if (isHeld) await wakeIfQueued(db, claimed)
}
