import { recordAudit } from '../audit/audit.ts'
import { asApiErrors } from '../core/cli-errors.ts'
import type { Config } from '../core/config/config.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { type Buyer, findBuyer, putBuyer } from './buyers.ts'
import { choosePlan, setAutoRenew } from './choose-plan.ts'
import type { PlanChoice, Renewing, TopUpOrder } from './dashboard-schema.ts'
import { forecastChoice, forecastEnd, forecastRenewal, getBillingState } from './forecast.ts'
import { getGateway } from './gateways/gateway.ts'
import { createGateways } from './gateways/gateways.ts'
import { findAccount } from './ledger.ts'
import { readCurrency, readPositive, toNumber } from './money.ts'
import { presentPayment } from './payments.ts'
import { costsNothing, isOffered, listPlans, type Plan } from './plans.ts'
import { renewNow } from './renew.ts'
import { showBilling } from './show-billing.ts'
import { currencyOf, topUp } from './top-up.ts'
import { billingPagePath } from './write-mail.ts'

/** Actions of a project's owner on plan and balance. */

/** Whether there is a plan to choose or something to pay. */
export async function isBillingEnabled(sql: Sql, projectId: string): Promise<boolean> {
  const plans = await listPlans(sql)
  const isChoice = plans.filter(isOffered).length > 1
  return isChoice || !plans.every(costsNothing) || (await findAccount(sql, projectId)) !== null
}

/** Throws if billing is off. */
export async function requireBilling(sql: Sql, projectId: string): Promise<void> {
  if (!(await isBillingEnabled(sql, projectId))) throw new ApiError('FEATURE_OFF')
}

const presentPlan = ({ price, ...plan }: Plan) => ({ ...plan, price: toNumber(price) })

export async function readBilling(sql: Sql, config: Config, projectId: string) {
  const report = await showBilling(sql, projectId)
  const books = await getBillingState(sql, projectId)
  const { plans } = books
  return {
    ...report,
    plan_name: plans.find(({ code }) => code === report.plan)?.name ?? report.plan,
    next: forecastEnd(books),
    renewal: forecastRenewal(books),
    offered: plans
      .filter(isOffered)
      .map(plan => ({ ...presentPlan(plan), choice: forecastChoice(books, plan) })),
    buyer: await findBuyer(sql, projectId),
    gateways: [...createGateways(config).keys()],
  }
}

const target = { type: 'plan' }

export const choosePlanAudited = (
  store: DbOrTx,
  { project, actor }: Caller,
  { plan: chosen, ...seen }: PlanChoice,
) =>
  asApiErrors(
    transact(store, project.id, async tx => {
      const { plan, next_plan } = await choosePlan(tx, project.id, chosen, seen)
      await recordAudit(tx, project.id, actor, 'billing.plan_chosen', target, { plan, next_plan })
    }),
  )

export const switchRenewal = (store: DbOrTx, { project, actor }: Caller, auto_renew: boolean) =>
  asApiErrors(
    transact(store, project.id, async tx => {
      await setAutoRenew(tx, project.id, auto_renew)
      await recordAudit(tx, project.id, actor, 'billing.auto_renew_changed', target, { auto_renew })
    }),
  )

/** If the balance is insufficient, the caller gets an error, but the event is committed. */
export async function renew(
  store: DbOrTx,
  { project, actor }: Caller,
  { expires_at, amount }: Renewing,
): Promise<void> {
  const renewal = await asApiErrors(
    transact(store, project.id, async tx => {
      const done = await renewNow(tx, project.id, expires_at, amount)
      if (done.outcome === 'renewed')
        await recordAudit(tx, project.id, actor, 'billing.renewed', target, { ...done })
      return done
    }),
  )
  if (renewal.outcome !== 'balance_low') return
  const currency = await currencyOf(store, project.id)
  throw new ApiError('NOT_POSSIBLE', { reason: 'balance_low', shortfall: renewal.shortfall, currency })
}

/** Receipts that were issued before do not change. */
export const changeBuyer = (store: DbOrTx, { project, actor }: Caller, buyer: Buyer) =>
  transact(store, project.id, async tx => {
    await putBuyer(tx, project.id, buyer)
    await recordAudit(
      tx,
      project.id,
      actor,
      'billing.buyer_changed',
      { type: 'buyer' },
      { name: buyer.name, tax_number: buyer.tax_number },
    )
  })

function understand<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UserError) throw refuse(field, 'not_an_amount', { message: error.message })
    throw error
  }
}

/** Creates a payment order. The response says where or how to pay. */
export async function orderTopUp(
  store: DbOrTx,
  config: Config,
  { project, actor }: Caller,
  sent: TopUpOrder,
) {
  const { gateway: name = 'offline' } = sent
  const currency = sent.currency
    ? understand('currency', () => readCurrency(sent.currency!))
    : await asApiErrors(currencyOf(store, project.id))
  const amount = understand('amount', () => readPositive(sent.amount, currency))
  const by = actor.type === 'operator' ? actor.name : actor.id
  const gateway = await asApiErrors(Promise.try(() => getGateway(createGateways(config), name)))
  const {
    url,
    instructions: _,
    ...payment
  } = await asApiErrors(
    topUp(store, gateway, project.id, { amount, currency, by, back: billingPagePath(project.id) }),
  )
  const order = presentPayment(payment)
  const detail = { amount: order.amount, currency, gateway: name }
  await recordAudit(
    store,
    project.id,
    actor,
    'billing.top_up_ordered',
    { type: 'payment', id: order.order_id },
    detail,
  )
  const transfer_to = (gateway.name === 'offline' && config.paymentInstructions) || null
  return { ...order, url, transfer_to }
}
