import { randomUUID } from 'node:crypto'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { findProject } from '../projects/projects.ts'
import { type Gateway, GatewayRefused } from './gateways/gateway.ts'
import { findLedgerEntry, insertLedgerEntry, type StoredLedgerEntry } from './ledger.ts'
import { type Hundredths, showMoney } from './money.ts'
import { getPayment, type Payment } from './payments.ts'

/** Changes that the installation's admin makes to a balance by hand. */

export interface Adjustment {
  amount: Hundredths
  currency: string
  note: string
  by: string
  /** Two calls with the same key make one entry. Without a key, every call makes a new entry. */
  key?: string
}

const adjust = (store: DbOrTx, projectId: string, cause: 'credit' | 'correction', adjustment: Adjustment) =>
  transact(store, projectId, async tx => {
    await findProject(tx, projectId)
    const key = `${cause}:${adjustment.key ?? randomUUID()}`
    const entry = await insertLedgerEntry(tx, projectId, { ...adjustment, cause, key })
    if (!entry) throw new UserError(`The key "${adjustment.key}" was already used; nothing was changed`)
    return entry
  })

/** A gift of money. */
export const creditBalance = (
  store: DbOrTx,
  projectId: string,
  adjustment: Adjustment,
): Promise<StoredLedgerEntry> => adjust(store, projectId, 'credit', adjustment)

/** Corrects a balance up or down, also below zero. The wrong entry stays in the ledger. */
export const correctBalance = (
  store: DbOrTx,
  projectId: string,
  adjustment: Adjustment,
): Promise<StoredLedgerEntry> => adjust(store, projectId, 'correction', adjustment)

export interface Refund {
  amount?: Hundredths
  by: string
  /** Runs at the end of the same transaction. */
  beside?: (tx: Tx) => Promise<void>
}

/**
 * Refunds an order in full or in part, once. The amount is taken from the balance before the request to the gateway, so that
 * it cannot be spent at the same time. If the gateway refuses, a correction restores it. If the process dies between the two,
 * the same call repeats the request with the same key, and the gateway pays once.
 */
export async function refundPayment(
  store: DbOrTx,
  gateway: Gateway,
  orderId: string,
  { amount: given, by, beside }: Refund,
): Promise<Payment & { refunded: Hundredths }> {
  const payment = await getPayment(store, orderId)
  const refunded = given ?? payment.amount
  refuseRefund(payment, refunded)
  const key = `refund:${payment.id}:${payment.refund_tries}`
  await bookRefund(store, payment, { amount: refunded, key, by })
  try {
    await gateway.refund(payment, refunded, key)
  } catch (error) {
    // Only after a refusal: a request without a response may have succeeded.
    if (error instanceof GatewayRefused) await takeBack(store, payment, { amount: refunded, key, by })
    throw error
  }
  await transact(store, payment.project_id, async tx => {
    await tx`update payments set refunded_at = now() where project_id = ${tx.projectId} and id = ${payment.id}`
    await beside?.(tx)
  })
  return { ...payment, refunded }
}

function refuseRefund({ order_id, status, amount, refunded_at }: Payment, refunded: Hundredths): void {
  if (status !== 'received') throw new UserError(`Order ${order_id} is ${status}; there is nothing to refund`)
  if (refunded_at) throw new UserError(`Order ${order_id} was already refunded`)
  if (refunded > amount) throw new UserError(`A refund cannot be more than the amount of order ${order_id}`)
}

interface Booked {
  amount: Hundredths
  key: string
  by: string
}

const bookRefund = (store: DbOrTx, payment: Payment, { amount, key, by }: Booked): Promise<void> =>
  transact(store, payment.project_id, async tx => {
    const { project_id, currency, order_id: reference } = payment
    await insertLedgerEntry(tx, project_id, {
      amount: -amount,
      currency,
      cause: 'refund',
      key,
      reference,
      by,
    })
    const entry = await findLedgerEntry(tx, project_id, key)
    if (entry!.amount !== -amount)
      throw new UserError(
        `A refund of ${showMoney(-entry!.amount, currency)} for order ${reference} is in progress; repeat the command with that amount`,
      )
  })

const takeBack = (store: DbOrTx, payment: Payment, { amount, key, by }: Booked): Promise<void> =>
  transact(store, payment.project_id, async tx => {
    const { project_id, id, currency, order_id: reference } = payment
    const note = 'gateway_refused_refund'
    const entry = {
      amount,
      currency,
      cause: 'correction' as const,
      key: `${key}:failed`,
      reference,
      note,
      by,
    }
    if (await insertLedgerEntry(tx, project_id, entry))
      await tx`update payments set refund_tries = refund_tries + 1 where project_id = ${project_id} and id = ${id}`
  })
