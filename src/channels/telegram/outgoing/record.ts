import type { Message } from '@grammyjs/types'
import type { Db } from '../../../core/db/db.ts'
import { notifyMessageChange, notifyOutgoingTelegram } from '../../../events/notifier.ts'
import type { Tx } from '../../../events/transaction.ts'
import { updateDelivery } from '../../../messages/messages.ts'
import {
  type Account,
  type ClaimedMessage,
  deleteQueued,
  hasQueued,
  type NextAttempt,
  recordDelivery,
  recordHeld,
  updateReleased,
} from '../../../outgoing/outgoing.ts'
import { insertTelegramMessage, updateChatBlocked } from '../incoming/message-queries.ts'
import { updateChatHeld, updateChatSent } from './rate-queries.ts'
import { lockSend, type SendMark, type SendRow, updateSendPart } from './send-queries.ts'

/** Records the result of a call in the chat, the message and the queue, in one transaction. */

/** The values of `delivery.error` for messages in Telegram, besides the server's answer. */
export const telegramDeliveryCodes = [
  ...(['no_chat', 'blocked', 'bot_removed', 'deleted', 'empty', 'file_missing', 'unreachable'] as const),
  ...(['outcome_unknown', 'maybe_sent_twice', 'edit_not_propagated'] as const),
]

export type TelegramDeliveryCode = (typeof telegramDeliveryCodes)[number]

const wakeLater = ({ project_id, account_id }: Account, waitMs: number): void =>
  void setTimeout(() => notifyOutgoingTelegram(project_id, account_id), waitMs + 5).unref()

/** If the chat has more messages, the next one follows after a second. */
export async function wakeIfQueued(db: Db, chat: Account): Promise<void> {
  if (await hasQueued(db, chat)) wakeLater(chat, 1_000)
}

/** Holds the chat so that its messages stay in order, and releases the message. */
export async function postponeSend(
  db: Db,
  claimed: ClaimedMessage,
  { waitMs, phase, attempts = claimed.attempts }: NextAttempt,
  error: string | null = null,
): Promise<void> {
  await recordHeld(db, claimed, async tx => {
    await updateChatHeld(tx, tx.projectId, claimed.account_id, waitMs)
    if (error !== null && attempts > claimed.attempts) {
      await updateDelivery(tx, claimed.message_id, { status: 'pending', error, attempts: 1 })
      tx.afterCommit(() => notifyMessageChange(tx.projectId, claimed.message_id))
    }
    tx.noteDue('outgoing_telegram', null, claimed.account_id)
    return (await updateReleased(tx, claimed, { phase, attempts })) || null
  })
  wakeLater(claimed, waitMs)
}

interface SentResult {
  messages: Message[]
  part: number
  isLast: boolean
  /** Set if the part may have arrived twice, or if it is unknown whether it arrived. */
  mark: SendMark | null
  /** Whether a later call showed that the bot is not allowed to write in the chat. */
  isBlocked?: boolean
}

/** Removes the message from the queue, or releases it if it has more parts, an edit or a reaction to send. */
async function finish(tx: Tx, claimed: ClaimedMessage, hasMore: boolean): Promise<true | null> {
  if (!hasMore) return (await deleteQueued(tx, claimed)) || null
  tx.noteDue('outgoing_telegram', null, claimed.account_id)
  return (await updateReleased(tx, claimed, { phase: 'waiting', attempts: 0 })) || null
}

/** Records that a part was sent. After the last part, the message counts as sent. */
export async function recordSent(
  db: Db,
  claimed: ClaimedMessage,
  send: SendRow,
  { messages, part, isLast, mark, isBlocked = false }: SentResult,
): Promise<void> {
  const isHeld = await recordHeld(db, claimed, async tx => {
    const { projectId } = tx
    if (isBlocked) await updateChatBlocked(tx, projectId, send.chat_id, true)
    await updateChatSent(tx, projectId, send.chat_id)
    for (const message of messages)
      await insertTelegramMessage(tx, projectId, {
        ...{ chat_id: send.chat_id, telegram_id: message.message_id, message_id: send.id },
        ...{ topic_id: send.topic_id, media_group_id: message.media_group_id ?? null, caption: '', part },
      })
    await updateSendPart(tx, projectId, send.id, { nextPart: part + 1, mark })
    const [row] = await lockSend(tx, projectId, send.id)
    if (isLast) {
      await recordDelivery(tx, 'telegram', send.id, { status: 'sent', error: row?.mark ?? null, attempts: 1 })
    }
    return finish(tx, claimed, !isLast || row?.is_edited === true || (row?.reaction ?? null) !== null)
  })
  if (isHeld) await wakeIfQueued(db, claimed)
}

/** Records that an edit or a reaction was sent, or refused. */
export async function recordChange(
  db: Db,
  claimed: ClaimedMessage,
  change: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const isHeld = await recordHeld(db, claimed, async tx => {
    await updateChatSent(tx, tx.projectId, claimed.account_id)
    await change(tx)
    const [row] = await lockSend(tx, tx.projectId, claimed.message_id)
    return finish(tx, claimed, row?.is_edited === true || (row?.reaction ?? null) !== null)
  })
  if (isHeld) await wakeIfQueued(db, claimed)
}

/** Cancels a message that will not be sent, for example because it was deleted. */
export async function cancelSend(
  db: Db,
  claimed: ClaimedMessage,
  error: TelegramDeliveryCode,
): Promise<void> {
  await recordHeld(db, claimed, async tx => {
    await recordDelivery(tx, 'telegram', claimed.message_id, { status: 'failed', error })
    return (await deleteQueued(tx, claimed)) || null
  })
  wakeLater(claimed, 0)
}
