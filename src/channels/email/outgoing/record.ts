import type { Db } from '../../../core/db.ts'
import { notifyMessageChange } from '../../../events/notifier.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { updateDelivery } from '../../../messages/messages.ts'
import { type ClaimedMessage, deleteQueued, type Phase, updatePostponed } from '../../../outgoing/outgoing.ts'
import { countOutgoing } from './outgoing-metrics.ts'
import {
  listRecipientRows,
  type RecipientResult,
  type RecipientRow,
  updateRecipients,
  updateSentAt,
} from './outgoing-queries.ts'

/** Records what became of an email: at its recipients, in the queue and in its message. */

const minute = 60_000
const hour = 60 * minute

/** The pauses after failed attempts. After the attempt that follows the last pause, the email has failed. */
export const usualPauses = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 8 * hour, 24 * hour]

/** How long an email whose answer was lost may take until it is in the Sent folder. */
export const uncertainPause = 15 * minute

/** Marks of recipients to whom the email was sent, with an answer that was lost. They are also the error of the message. */
export type Mark = 'outcome_unknown' | 'maybe_sent_twice'

/** Pending recipients to whom an attempt has sent the email without an answer. Others were refused for the time being. */
export const isInFlight = ({ status, code }: RecipientResult): boolean =>
  status === 'pending' && code === null

const errorOf = ({ code, words }: Pick<RecipientRow, 'code' | 'words'>): string =>
  [code, words].filter(Boolean).join(' ')

const isDone = ({ status }: Pick<RecipientRow, 'status'>): boolean =>
  status !== 'pending' && status !== 'failed'

/** The delivery of a message whose recipients have these results. */
function deliveryOf(rows: RecipientRow[]): { status: 'pending' | 'sent' | 'failed'; error: string | null } {
  const pending = rows.filter(({ status }) => status === 'pending')
  const done = rows.filter(isDone)
  if (pending.length) return { status: 'pending', error: pending.map(errorOf).find(Boolean) ?? null }
  if (done.length === 0) return { status: 'failed', error: rows.map(errorOf).find(Boolean) ?? null }
  const marks: string[] = ['outcome_unknown', 'maybe_sent_twice'] satisfies Mark[]
  return { status: 'sent', error: marks.find(mark => done.some(({ code }) => code === mark)) ?? null }
}

interface Settlement {
  results: RecipientResult[]
  /** Whether this was an attempt. */
  isAttempt: boolean
  /** Null if nothing is tried again: then pending recipients fail for this reason. */
  next: { waitMs: number; phase: Phase } | null
  reason: string
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

async function settle(
  tx: Tx,
  claimed: ClaimedMessage,
  settlement: Settlement,
): Promise<RecipientRow[] | null> {
  const { projectId } = tx
  const id = claimed.message_id
  await tx`select from messages where project_id = ${projectId} and id = ${id} for no key update`
  const { results, next, isAttempt, reason } = settlement
  if (results.length) await updateRecipients(tx, projectId, id, results)
  let rows = await listRecipientRows(tx, projectId, id)
  const pending = rows.filter(({ status }) => status === 'pending')
  if (pending.length && !next) {
    await updateRecipients(tx, projectId, id, pending.map(failed(reason)))
    rows = await listRecipientRows(tx, projectId, id)
  }
  const isWaiting = pending.length > 0 && next !== null
  const attempts = claimed.attempts + (isAttempt ? 1 : 0)
  const isHeld = isWaiting
    ? await updatePostponed(tx, claimed, { ...next, attempts })
    : await deleteQueued(tx, claimed)
  if (!isHeld) return null
  const delivery = deliveryOf(rows)
  await updateDelivery(tx, id, { ...delivery, attempts: isAttempt ? 1 : 0 })
  await settlement.also?.(tx)
  if (results.some(({ status }) => status === 'sent')) await updateSentAt(tx, projectId, id)
  if (isWaiting) tx.noteDue('outgoing', null, claimed.account_id)
  tx.afterCommit(() => {
    notifyMessageChange(projectId, id)
    if (!isWaiting) countOutgoing(delivery.error === 'outcome_unknown' ? 'uncertain' : delivery.status)
  })
  return rows
}

class NotHeld extends Error {}

/** Returns the recipients; null if another process has claimed the email since, which then changes nothing. */
export async function recordSettlement(
  db: Db,
  claimed: ClaimedMessage,
  settlement: Settlement,
): Promise<RecipientRow[] | null> {
  try {
    return await transact(db, claimed.project_id, async tx => {
      const rows = await settle(tx, claimed, settlement)
      if (!rows) throw new NotHeld()
      return rows
    })
  } catch (error) {
    if (error instanceof NotHeld) return null
    throw error
  }
}

/** The next attempt of an email; null after the last one. */
export const nextAttempt = ({ attempts, phase }: ClaimedMessage, pauses: number[]): Settlement['next'] => {
  const waitMs = pauses[attempts]
  return waitMs === undefined ? null : { waitMs, phase: phase === 'uncertain' ? 'uncertain' : 'waiting' }
}
