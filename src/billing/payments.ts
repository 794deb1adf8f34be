import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { UnknownIdError } from '../projects/projects.ts'
import { insertLedgerEntry } from './ledger.ts'
import { queueHostMail, queueMail } from './mails.ts'
import { type Hundredths, showMoney, toNumber } from './money.ts'

/** Payments to a project's balance: orders, and the gateway's reports about them. */

export interface Payment {
  project_id: string
  id: string
  order_id: string
  gateway: string
  amount: Hundredths
  currency: string
  method: string
  status: 'pending' | 'received' | 'failed'
  external_id: string | null
  transaction_id: string | null
  reason: string | null
  refund_tries: number
  refunded_at: string | null
  by: string | null
  created_at: string
  expires_at: string
  settled_at: string | null
}

/** The prefix of a disputed payment's reason. */
export const disputedStatuses = 'disputed: '

/** The amount that arrived differs from the order. It is not credited until the host has checked it. */
export const isDisputed = ({ status, reason }: Pick<Payment, 'status' | 'reason'>): boolean =>
  status !== 'received' && reason !== null && reason.startsWith(disputedStatuses)

export const presentPayment = ({ amount, ...payment }: Payment) => ({
  order_id: payment.order_id,
  payment_id: payment.id,
  project_id: payment.project_id,
  gateway: payment.gateway,
  method: payment.method,
  amount: toNumber(amount),
  currency: payment.currency,
  status: payment.status,
  is_disputed: isDisputed(payment),
  reason: payment.reason,
  transaction_id: payment.transaction_id,
  created_at: payment.created_at,
  expires_at: payment.status === 'pending' ? payment.expires_at : null,
  settled_at: payment.settled_at,
})

export async function findPayment(sql: Sql, orderId: string): Promise<Payment | null> {
  const [payment] = await sql<Payment[]>`select * from payments where order_id = ${orderId}`
  return payment ?? null
}

export async function getPayment(sql: Sql, orderId: string): Promise<Payment> {
  const payment = await findPayment(sql, orderId)
  if (payment) return payment
  throw new UnknownIdError('Order', orderId)
}

export const listPayments = async (sql: Sql, projectId: string, limit: number) => [
  ...(await sql<Payment[]>`
    select * from payments where project_id = ${projectId} order by created_at desc, id desc limit ${limit}`),
]

async function lockPayment(tx: Tx, orderId: string): Promise<Payment> {
  const [payment] = await tx<Payment[]>`
    select * from payments where project_id = ${tx.projectId} and order_id = ${orderId} for no key update`
  if (!payment) throw new UnknownIdError('Order', orderId)
  return payment
}

export interface PaymentReport {
  amount: Hundredths
  currency: string
  transaction_id: string | null
  method?: string
  by: string
}

/** The gateway's report does not match the order: nothing is credited. */
export class MismatchedPayment extends UserError {}

/**
 * Credits a payment that arrived, once, even if the gateway repeats its report. It also credits payments of failed orders, so
 * that no money is lost. Returns false if the payment was credited before.
 */
export async function receivePayment(
  store: DbOrTx,
  payment: Payment,
  arrival: PaymentReport,
): Promise<boolean> {
  const difference = differenceOf(payment, arrival)
  if (difference) await dispute(store, payment, difference)
  return transact(store, payment.project_id, async tx => {
    const { status } = await lockPayment(tx, payment.order_id)
    if (status === 'received') return false
    await settle(tx, payment, arrival)
    return true
  })
}

interface Difference {
  arrived: string
  ordered: string
}

const differenceOf = ({ amount, currency }: Payment, arrival: PaymentReport): Difference | null =>
  amount === arrival.amount && currency === arrival.currency
    ? null
    : { arrived: showMoney(arrival.amount, arrival.currency), ordered: showMoney(amount, currency) }

async function dispute(
  store: DbOrTx,
  { project_id, order_id }: Payment,
  { arrived, ordered }: Difference,
): Promise<never> {
  const reason = `${disputedStatuses}${arrived} came for an order of ${ordered}`
  await transact(store, project_id, async tx => {
    const told = await tx`update payments set reason = ${reason}
      where project_id = ${project_id} and order_id = ${order_id} and status <> 'received'
        and reason is distinct from ${reason}`
    if (told.count) await queueHostMail(tx, 'payment_disputed', { order_id, arrived, ordered })
  })
  throw new MismatchedPayment(`Order ${order_id} is ${reason}; nothing is booked`)
}

async function settle(tx: Tx, payment: Payment, arrival: PaymentReport): Promise<void> {
  const { id, order_id, amount, currency } = payment
  const { transaction_id, by, method = payment.method } = arrival
  await tx`
    update payments set status = 'received', method = ${method}, transaction_id = ${transaction_id},
      reason = null, settled_at = now()
    where project_id = ${tx.projectId} and id = ${id}`
  const key = `payment:${id}`
  const entry = await insertLedgerEntry(tx, tx.projectId, {
    ...{ amount, currency, cause: 'top_up', key, reference: order_id, by },
  })
  if (!entry) throw new Error(`Payment ${id} was booked before`)
  const new_balance = toNumber(entry.balance_after)
  const paid = {
    payment_id: id,
    order_id,
    amount: toNumber(amount),
    currency,
    method,
    transaction_id,
    new_balance,
  }
  tx.emit({ type: 'billing.payment_received', data: paid })
  const [sum, balance] = [amount, entry.balance_after].map(one => showMoney(one, currency))
  await queueMail(tx, 'payment_received', { order_id, amount: sum, balance })
}

/** Ends an unpaid order. A disputed order stays disputed, because another amount arrived; its owners get no notice of a failure. */
async function fail(tx: Tx, payment: Payment, reason: string | null): Promise<void> {
  const { id, order_id, amount, currency, method } = payment
  const kept = isDisputed(payment) ? payment.reason : reason
  await tx`
    update payments set status = 'failed', reason = ${kept}, settled_at = now()
    where project_id = ${tx.projectId} and id = ${id}`
  const failed = { payment_id: id, order_id, amount: toNumber(amount), method, reason }
  tx.emit({ type: 'billing.payment_failed', data: failed })
  if (isDisputed(payment)) return
  await queueMail(tx, 'payment_failed', { order_id, amount: showMoney(amount, currency), reason })
}

/** Called when the gateway reports a cancelled or expired order. False if it had ended before, or if the payment has arrived. */
export const failPayment = (store: DbOrTx, { project_id, order_id }: Payment, reason: string | null) =>
  transact(store, project_id, async tx => {
    const payment = await lockPayment(tx, order_id)
    if (payment.status !== 'pending') return false
    await fail(tx, payment, reason)
    return true
  })

/** Called when the host has credited or returned a disputed payment by hand. False if the payment is not disputed. */
export const closeDispute = (store: DbOrTx, { project_id, order_id }: Payment, reason: string) =>
  transact(store, project_id, async tx => {
    const payment = await lockPayment(tx, order_id)
    if (!isDisputed(payment)) return false
    if (payment.status === 'pending') await fail(tx, payment, reason)
    await tx`update payments set reason = ${reason} where project_id = ${project_id} and id = ${payment.id}`
    return true
  })
