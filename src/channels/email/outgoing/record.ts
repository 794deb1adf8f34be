import { setUndeliverable } from '../../../contacts/contacts.ts'
import type { Db } from '../../../core/db/db.ts'
import { notifyMessageChange } from '../../../events/notifier.ts'
import type { Tx } from '../../../events/transaction.ts'
import { updateDelivery } from '../../../messages/messages.ts'
import {
  type ClaimedMessage,
  countOutgoing,
  deleteQueued,
  type Phase,
  recordHeld,
  updatePostponed,
} from '../../../outgoing/outgoing.ts'
import {
  listRecipientRows,
  lockSentMessage,
  type RecipientResult,
  type RecipientRow,
  type SentMessage,
  updateRecipients,
  updateSentAt,
} from './outgoing-queries.ts'
import { noteProblems } from './problems.ts'
import { deliveryOf } from './sent-delivery.ts'

/** Records the result of an attempt: for each recipient, in the queue and in the message. */

const minute = 60_000
const hour = 60 * minute

/** The pauses after failed attempts. After the attempt that follows the last pause, the email has failed. */
export const usualPauses = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 8 * hour, 24 * hour]

/** How long an email whose answer was lost may take until it is in the Sent folder. */
export const uncertainPause = 15 * minute

/** Pending recipients to whom an attempt has sent the email without an answer. Others were refused for the time being. */
export const isInFlight = ({ status, code }: RecipientResult): boolean =>
  status === 'pending' && code === null

interface Settlement {
  results: RecipientResult[]
  /** Whether this was an attempt. */
  isAttempt: boolean
  /** Null if nothing is tried again: then pending recipients fail for `reason`. */
  next: { waitMs: number; phase: Phase } | null
  reason: string
  /** Whether a copy must be stored in Sent. */
  hasCopy?: boolean
  /** Further changes in the same transaction. */
  also?(tx: Tx): Promise<unknown>
}

const failed =
  (reason: string) =>
  (row: RecipientRow): RecipientResult => ({
    address: row.address,
    status: 'failed',
    code: row.code,
    words: row.words ?? reason,
  })

/** A relay may also refuse an email for its own reasons or because of the sender. Only these codes are about the recipient. */
const badAddress = /\b5\.1\.(?:[0-6]|10)\b/

/** Marks addresses that a server has refused. Must be called before the message is locked, because contacts are locked before messages. */
export function markRefused(tx: Tx, results: RecipientResult[]): Promise<void> {
  const refused = results.filter(({ status, words }) => status === 'failed' && badAddress.test(words ?? ''))
  const addresses = refused.map(({ address }) => address)
  return setUndeliverable(tx, addresses, true)
}

/** Records results of pending recipients, and tells people about those that have failed. Words without a code are of Deskbell. */
export async function recordRecipients(
  tx: Tx,
  message: SentMessage,
  results: RecipientResult[],
): Promise<void> {
  if (results.length === 0) return
  const changed = await updateRecipients(tx, tx.projectId, message.id, results)
  const failures = changed.filter(({ status, words }) => status === 'failed' && words !== 'deleted')
  await noteProblems(
    tx,
    message,
    failures.map(one => (one.code === null ? { ...one, words: null } : one)),
  )
}

async function settle(
  tx: Tx,
  claimed: ClaimedMessage,
  { results, next, isAttempt, reason, hasCopy = false, also }: Settlement,
): Promise<RecipientRow[] | null> {
  const { projectId } = tx
  const id = claimed.message_id
  await markRefused(tx, results)
  const message = await lockSentMessage(tx, projectId, id)
  if (!message) return null
  await recordRecipients(tx, message, results)
  let rows = await listRecipientRows(tx, projectId, id)
  const pending = rows.filter(({ status }) => status === 'pending')
  if (pending.length && !next) {
    await recordRecipients(tx, message, pending.map(failed(reason)))
    rows = await listRecipientRows(tx, projectId, id)
  }
  const isWaiting = pending.length > 0 && next !== null
  const attempts = claimed.attempts + (isAttempt ? 1 : 0)
  const isHeld = isWaiting
    ? await updatePostponed(tx, claimed, { ...next, attempts })
    : await deleteQueued(tx, claimed)
  if (!isHeld) return null
  const delivery = deliveryOf(rows, message.error)
  await updateDelivery(tx, id, { ...delivery, attempts: isAttempt ? 1 : 0 })
  await also?.(tx)
  if (results.some(({ status }) => status === 'sent')) await updateSentAt(tx, projectId, id, hasCopy)
  if (isWaiting) tx.noteDue('outgoing', null, claimed.account_id)
  tx.afterCommit(() => {
    notifyMessageChange(projectId, id)
    if (!isWaiting) countOutgoing('email', delivery.status, delivery.error)
  })
  return rows
}

/** Returns the recipients; null if another process has claimed the email since, which then changes nothing. */
export const recordSettlement = (
  db: Db,
  claimed: ClaimedMessage,
  settlement: Settlement,
): Promise<RecipientRow[] | null> => recordHeld(db, claimed, tx => settle(tx, claimed, settlement))

/** The next attempt of an email; null after the last one. */
export const nextAttempt = ({ attempts, phase }: ClaimedMessage, pauses: number[]): Settlement['next'] => {
  const waitMs = pauses[attempts]
  return waitMs === undefined ? null : { waitMs, phase: phase === 'uncertain' ? 'uncertain' : 'waiting' }
}
