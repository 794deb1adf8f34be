import type { Message } from '@grammyjs/types'
import type { Db } from '../../../core/db/db.ts'
import { notifyMessageChange, notifyOutgoing } from '../../../events/notifier.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { alertReader, updateDelivery } from '../../../messages/messages.ts'
import {
  type ClaimedMessage,
  deleteQueued,
  hasQueued,
  type Phase,
  updateReleased,
} from '../../../outgoing/outgoing.ts'
import { record } from '../../../tickets/tickets.ts'
import { insertTelegramMessage, updateChatBlocked } from '../incoming/message-queries.ts'
import { updateChatHeld, updateChatSent } from './rate-queries.ts'
import { lockSend, type SendMark, type SendRow, updateSendPart } from './send-queries.ts'

/** Records the result of a call: in the chat, the message and the queue, in one transaction. */

/** What `delivery.error` of a message in Telegram can be, besides the answer of the server. */
export const telegramDeliveryCodes = [
  ...(['no_chat', 'bot_removed', 'deleted', 'file_missing', 'unreachable'] as const),
  ...(['outcome_unknown', 'maybe_sent_twice', 'edit_not_propagated'] as const),
]

export type TelegramDeliveryCode = (typeof telegramDeliveryCodes)[number]

class NotHeld extends Error {}

/** Returns false if another process has claimed the message since, which then changes nothing. */
async function recordHeld(
  db: Db,
  claimed: ClaimedMessage,
  change: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  try {
    await transact(db, claimed.project_id, async tx => {
      if (!(await change(tx))) throw new NotHeld()
    })
    return true
  } catch (error) {
    if (error instanceof NotHeld) return false
    throw error
  }
}

const wakeLater = ({ project_id, account_id }: ClaimedMessage, waitMs: number): void =>
  void setTimeout(() => notifyOutgoing(project_id, `telegram:${account_id}`), waitMs + 5).unref()

/** If the chat has more messages, the next one follows after a second. */
async function wakeIfQueued(db: Db, claimed: ClaimedMessage): Promise<void> {
  if (await hasQueued(db, claimed)) wakeLater(claimed, 1_000)
}

/** Holds the chat, so that its messages keep their order, and releases the message. */
export async function postponeSend(
  db: Db,
  claimed: ClaimedMessage,
  { waitMs, phase, attempts = claimed.attempts }: { waitMs: number; phase: Phase; attempts?: number },
  error: string | null = null,
): Promise<void> {
  await recordHeld(db, claimed, async tx => {
    await updateChatHeld(tx, tx.projectId, claimed.account_id, waitMs)
    if (error !== null && attempts > claimed.attempts) {
      await updateDelivery(tx, claimed.message_id, { status: 'pending', error, attempts: 1 })
      tx.afterCommit(() => notifyMessageChange(tx.projectId, claimed.message_id))
    }
    tx.noteDue('outgoing_telegram', null, claimed.account_id)
    return updateReleased(tx, claimed, { phase, attempts })
  })
  wakeLater(claimed, waitMs)
}

export interface SentResult {
  messages: Message[]
  part: number
  isLast: boolean
  /** Whether the part may be in Telegram twice, or nobody knows whether it is there. */
  mark: SendMark | null
}

/** Removes the message from the queue, or releases it for its edit or reaction. */
async function finish(tx: Tx, claimed: ClaimedMessage, hasMore: boolean): Promise<boolean> {
  if (!hasMore) return deleteQueued(tx, claimed)
  tx.noteDue('outgoing_telegram', null, claimed.account_id)
  return updateReleased(tx, claimed, { phase: 'waiting', attempts: 0 })
}

/** Records that a part was sent. After the last one, the message is sent. */
export async function recordSent(
  db: Db,
  claimed: ClaimedMessage,
  send: SendRow,
  { messages, part, isLast, mark }: SentResult,
): Promise<void> {
  const isHeld = await recordHeld(db, claimed, async tx => {
    const { projectId } = tx
    await updateChatSent(tx, projectId, send.chat_id)
    for (const message of messages)
      await insertTelegramMessage(tx, projectId, {
        ...{ chat_id: send.chat_id, telegram_id: message.message_id, message_id: send.id },
        ...{ topic_id: send.topic_id, media_group_id: message.media_group_id ?? null, caption: '', part },
      })
    await updateSendPart(tx, projectId, send.id, { nextPart: part + 1, mark })
    const [row] = await lockSend(tx, projectId, send.id)
    if (isLast) {
      await updateDelivery(tx, send.id, { status: 'sent', error: row?.mark ?? null, attempts: 1 })
      tx.afterCommit(() => notifyMessageChange(projectId, send.id))
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

interface FailedSend {
  ticket_id: string
  /** The person or the group. */
  address: string
  /** The code of the server's answer. */
  code: string | null
  words: string
  isBlocked?: boolean
}

async function findAssignee(tx: Tx, ticketId: string): Promise<string | null> {
  const [row] = await tx<{ operator_id: string | null }[]>`
    select operator_id from tickets where project_id = ${tx.projectId} and id = ${ticketId}`
  return row?.operator_id ?? null
}

/** The message has failed. The people who work on its ticket are told. */
export async function recordSendFailed(
  db: Db,
  claimed: ClaimedMessage,
  { ticket_id, address, code, words, isBlocked = false }: FailedSend,
): Promise<void> {
  const isHeld = await recordHeld(db, claimed, async tx => {
    const { projectId } = tx
    if (isBlocked) await updateChatBlocked(tx, projectId, claimed.account_id, true)
    await updateChatSent(tx, projectId, claimed.account_id)
    await updateDelivery(tx, claimed.message_id, { status: 'failed', error: words, attempts: 1 })
    tx.afterCommit(() => notifyMessageChange(projectId, claimed.message_id))
    const data = { address, code, words, message_id: claimed.message_id, channel: 'telegram' as const }
    await record(tx, ticket_id, 'delivery_failed', data, true)
    const assignee = await findAssignee(tx, ticket_id)
    if (assignee) await alertReader(tx, ticket_id, assignee)
    return deleteQueued(tx, claimed)
  })
  if (isHeld) await wakeIfQueued(db, claimed)
}

/** The message needs nothing any more, for example because it was deleted. */
export async function cancelSend(
  db: Db,
  claimed: ClaimedMessage,
  error: TelegramDeliveryCode | null,
): Promise<void> {
  await recordHeld(db, claimed, async tx => {
    if (error) await updateDelivery(tx, claimed.message_id, { status: 'failed', error })
    tx.afterCommit(() => notifyMessageChange(tx.projectId, claimed.message_id))
    return deleteQueued(tx, claimed)
  })
  wakeLater(claimed, 0)
}
