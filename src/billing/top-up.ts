import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import type { DbOrTx } from '../events/transaction.ts'
import type { Gateway, Started } from './gateways/gateway.ts'
import { findAccount } from './ledger.ts'
import type { Hundredths } from './money.ts'
import { orderPayment } from './order-payment.ts'
import type { Payment } from './payments.ts'
import { listPlans } from './plans.ts'

export interface TopUp {
  amount: Hundredths
  currency: string
  by: string
  /** The dashboard page to which the payer returns. */
  back?: string
}

/** Creates a payment order and starts the payment. If the gateway does not respond, the order stays open, because it may still be paid. */
export async function topUp(
  store: DbOrTx,
  gateway: Gateway,
  projectId: string,
  { back, ...order }: TopUp,
): Promise<Payment & Started> {
  const payment = await orderPayment(store, projectId, {
    ...order,
    gateway: gateway.name,
    method: gateway.method,
  })
  const started = await gateway.start(payment, back ?? null)
  await store`
    update payments set external_id = ${started.external_id}
    where project_id = ${projectId} and id = ${payment.id}`
  return { ...payment, ...started }
}

/** The currency in which a project pays: its account's, else the one that all plans share. */
export async function currencyOf(sql: Sql, projectId: string): Promise<string> {
  const account = await findAccount(sql, projectId)
  if (account) return account.currency
  const currencies = new Set((await listPlans(sql)).flatMap(({ currency }) => currency ?? []))
  const [only, ...others] = currencies
  if (only && others.length === 0) return only
  throw new UserError('Add a currency: --currency EUR', { reason: 'currency_needed' })
}
