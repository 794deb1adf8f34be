import { randomUUID } from 'node:crypto'
import { UserError } from '../core/user-error.ts'
import { type Store, type Tx, transact } from '../events/transaction.ts'
import { findProject } from '../projects/projects.ts'
import { type Gateway, GatewayRefused } from './gateways/gateway.ts'
import { findLedgerEntry, insertLedgerEntry, type StoredLedgerEntry } from './ledger.ts'
import { type Hundredths, showMoney } from './money.ts'
import { getPayment, type Payment } from './payments.ts'

/** What the installation's admin does to a balance by hand. */

export interface Adjustment {
  amount: Hundredths
  currency: string
  note: string
  by: string
  /** The same key books once; without one every call is a new entry. */
  key?: string
}

const adjust = (store: Store, projectId: string, cause: 'credit' | 'correction', adjustment: Adjustment) =>
  transact(store, projectId, async tx => {
    await findProject(tx, projectId)
    const key = `${cause}:${adjustment.key ?? randomUUID()}`
    const entry = await insertLedgerEntry(tx, projectId, { ...adjustment, cause, key })
    if (!entry) throw new UserError(`The key "${adjustment.key}" was used before; nothing is booked`)
    return entry
  })

/** A gift of money. */
export const creditBalance = (
  store: Store,
  projectId: string,
  adjustment: Adjustment,
): Promise<StoredLedgerEntry> => adjust(store, projectId, 'credit', adjustment)

/** Up or down, below zero too: what was booked wrongly stays, and this sets it right. */
export const correctBalance = (
  store: Store,
  projectId: string,
  adjustment: Adjustment,
): Promise<StoredLedgerEntry> => adjust(store, projectId, 'correction', adjustment)

export interface Refund {
  amount?: Hundredths
  by: string
  /** What else belongs into the transaction at its end. */
  beside?: (tx: Tx) => Promise<void>
}

/**
 * Gives back what an order brought, or some of it, once. The balance gives it up before the gateway is asked, so that
 * nobody spends it meanwhile; when the gateway refuses, a correction brings it back. After a crash between the two the
 * same call asks the gateway again, which knows the key and pays once.
 */
export async function refundPayment(
  store: Store,
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
    // Only a clear no: what was not answered may have been done.
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
  if (refunded_at) throw new UserError(`Order ${order_id} was refunded before`)
  if (refunded > amount) throw new UserError(`A refund is not more than what order ${order_id} brought`)
}

interface Booked {
  amount: Hundredths
  key: string
  by: string
}

const bookRefund = (store: Store, payment: Payment, { amount, key, by }: Booked): Promise<void> =>
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
        `A refund of ${showMoney(-entry!.amount, currency)} for order ${reference} is under way; repeat that one`,
      )
  })

const takeBack = (store: Store, payment: Payment, { amount, key, by }: Booked): Promise<void> =>
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
