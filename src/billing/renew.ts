import type { Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { charge, compareBalance } from './charge.ts'
import { queueMail } from './mails.ts'
import { type Hundredths, toNumber } from './money.ts'
import { costsNothing, getEntryPlan, getPlan, type Plan } from './plans.ts'
import {
  beginSubscription,
  extendSubscription,
  leaveSubscription,
  lockPlanStatus,
  type Subscription,
} from './subscription.ts'

/** What happens when a plan ends, or is renewed before its end. */

interface Ending {
  old: string
  subscription: Subscription
}

export const waitingRenewals: WaitingWork = sql =>
  sql`select project_id, expires_at as due_at from subscriptions`

const isDue = async (sql: Sql, projectId: string): Promise<boolean> =>
  (await sql`select from subscriptions where project_id = ${projectId} and expires_at <= now()`).length > 0

/** Moves a project whose plan has ended to its next period, its next plan or the entry plan. */
export const renewDue = async (store: DbOrTx, projectId: string): Promise<number> =>
  (await isDue(store, projectId)) && (await transact(store, projectId, settle)) ? 1 : 0

/** One period at a time: after a downtime, each period that has begun is charged. */
async function settle(tx: Tx): Promise<boolean> {
  const { plan: old, subscription } = await lockPlanStatus(tx, tx.projectId)
  if (!subscription?.is_due) return false
  const ending = { old, subscription }
  const code = nextPlanCode(ending)
  const plan = code === null ? null : await getPlan(tx, code)
  if (!plan) await downgrade(tx, ending, 'auto_renew_disabled')
  else if (costsNothing(plan) && (subscription.is_trial || plan.code !== old))
    await moveToFree(tx, ending, plan)
  else await payAtEnd(tx, ending, plan)
  return true
}

/** The plan after the end of the current one, if the balance covers it; null if there is none. */
export function nextPlanCode({ old, subscription }: Ending): string | null {
  const { next_plan, auto_renew, is_trial, becomes } = subscription
  if (next_plan !== null || !auto_renew) return next_plan
  return is_trial ? becomes : old
}

async function payAtEnd(tx: Tx, ending: Ending, plan: Plan): Promise<void> {
  const { old, subscription } = ending
  const { balance, shortfall, isEnough } = await compareBalance(tx, tx.projectId, plan)
  if (isEnough && subscription.is_trial) return becomePaid(tx, ending, plan, 'trial_ended')
  if (isEnough && plan.code === old) return void (await extend(tx, ending, plan, 'auto'))
  if (isEnough) return switchPlan(tx, ending, plan)
  if (!subscription.is_trial) tx.emit(balanceLow(plan, balance, shortfall))
  await downgrade(tx, ending, 'insufficient_balance')
}

const balanceLow = (plan: Plan, balance: Hundredths, shortfall: Hundredths, trigger?: 'manual') => ({
  type: 'billing.balance_low' as const,
  data: {
    plan: plan.code,
    balance: toNumber(balance),
    price: toNumber(plan.price),
    shortfall: toNumber(shortfall),
    ...(trigger && { trigger }),
  },
})

/** The same plan for one more period. */
async function extend(tx: Tx, { subscription }: Ending, plan: Plan, trigger: 'auto' | 'manual') {
  const { id, months, expires_at: from } = subscription
  const to = await extendSubscription(tx, tx.projectId, plan, subscription)
  const balance = await charge(tx, tx.projectId, plan, { id, months, from, to })
  const paid = {
    plan: plan.code,
    amount: toNumber(plan.price),
    new_balance: toNumber(balance),
    expires_at: to,
  }
  tx.emit({ type: 'billing.plan_renewed', data: { ...paid, trigger } })
  return paid
}

async function switchPlan(tx: Tx, { old, subscription }: Ending, plan: Plan): Promise<void> {
  const { id, months, expires_at: from } = subscription
  const to = await extendSubscription(tx, tx.projectId, plan, subscription)
  const balance = await charge(tx, tx.projectId, plan, { id, months, from, to })
  const paid = { amount: toNumber(plan.price), new_balance: toNumber(balance) }
  tx.emit({
    type: 'billing.plan_changed',
    data: { old_plan: old, new_plan: plan.code, expires_at: to, ...paid },
  })
}

/** The first payment for a plan, at the end of a trial or earlier. */
async function becomePaid(tx: Tx, { old, subscription }: Ending, plan: Plan, reason: string): Promise<void> {
  const from = reason === 'trial_ended' ? subscription.expires_at : null
  await startPaidPlan(tx, old, plan, { from, autoRenew: subscription.auto_renew, reason })
}

interface Purchase {
  from?: string | null
  autoRenew?: boolean
  reason?: string
}

/** Starts the first period of a paid plan. The balance must cover it. */
export async function startPaidPlan(tx: Tx, old: string, plan: Plan, { reason, ...how }: Purchase = {}) {
  const { id, anchor: from, expires_at: to } = await beginSubscription(tx, tx.projectId, plan, how)
  const balance = await charge(tx, tx.projectId, plan, { id, months: 0, from, to })
  const paid = { amount: toNumber(plan.price), new_balance: toNumber(balance) }
  const moved = { old_plan: old, new_plan: plan.code, expires_at: to }
  tx.emit({ type: 'billing.plan_changed', data: { ...moved, ...paid, ...(reason && { reason }) } })
  return { plan: plan.code, ...paid, expires_at: to }
}

async function moveToFree(tx: Tx, ending: Ending, plan: Plan): Promise<void> {
  const { old, subscription } = ending
  if (subscription.is_trial && plan.is_entry) return downgrade(tx, ending, 'insufficient_balance')
  await leaveSubscription(tx, tx.projectId, plan.code)
  const reason = subscription.is_trial && { reason: 'trial_ended' }
  const moved = { old_plan: old, new_plan: plan.code, expires_at: null }
  tx.emit({ type: 'billing.plan_changed', data: { ...moved, ...reason } })
}

async function downgrade(
  tx: Tx,
  { old, subscription }: Ending,
  reason: 'insufficient_balance' | 'auto_renew_disabled',
): Promise<void> {
  const { is_trial, expires_at: expired_at } = subscription
  const { code, name } = await getEntryPlan(tx)
  await leaveSubscription(tx, tx.projectId, code)
  if (!is_trial)
    tx.emit({ type: 'billing.subscription_expired', data: { old_plan: old, reason, expired_at } })
  const moved = { old_plan: old, new_plan: code, expires_at: null }
  tx.emit({
    type: 'billing.plan_downgraded',
    data: { ...moved, ...(is_trial && { reason: 'trial_unpaid' }) },
  })
  const { name: old_name } = await getPlan(tx, old)
  await queueMail(tx, 'plan_ended', { old: old_name, now: name, reason: is_trial ? 'trial_unpaid' : reason })
}

export type Renewal =
  | { outcome: 'renewed'; plan: string; amount: number; new_balance: number; expires_at: string }
  | { outcome: 'balance_low'; plan: string; price: number; balance: number; shortfall: number }
  | { outcome: 'unchanged'; expires_at: string }

/**
 * Renews by hand: one more period, or the paid plan after a trial from now on. `seen` is the end date that the caller was
 * shown. If it has changed, another person has renewed already, and nothing is charged twice.
 */
export const renewNow = (store: DbOrTx, projectId: string, seen: string, amount?: number): Promise<Renewal> =>
  transact(store, projectId, async tx => {
    const { plan: old, subscription } = await lockPlanStatus(tx, projectId)
    if (!subscription)
      throw new UserError(`Plan "${old}" has no end, so there is nothing to renew`, { reason: 'no_end' })
    if (subscription.expires_at !== seen) return { outcome: 'unchanged', expires_at: subscription.expires_at }
    const plan = await getPlan(tx, subscription.is_trial ? paidCode({ old, subscription }) : old)
    if (subscription.is_trial && costsNothing(plan)) throw unpaid(old)
    if (amount !== undefined && amount !== toNumber(plan.price)) throw termsChanged()
    const { balance, shortfall, isEnough } = await compareBalance(tx, projectId, plan)
    if (!isEnough) {
      const event = balanceLow(plan, balance, shortfall, 'manual')
      tx.emit(event)
      const { trigger: _, ...low } = event.data
      return { outcome: 'balance_low', ...low }
    }
    const paid = subscription.is_trial
      ? await startPaidPlan(tx, old, plan, { autoRenew: subscription.auto_renew, reason: 'trial_paid' })
      : await extend(tx, { old, subscription }, plan, 'manual')
    return { outcome: 'renewed', ...paid }
  })

function paidCode({ old, subscription: { next_plan, becomes } }: Ending): string {
  const code = next_plan ?? becomes
  if (code === null) throw unpaid(old)
  return code
}

const unpaid = (trial: string) =>
  new UserError(`Trial "${trial}" does not become a paid plan; choose one first`, { reason: 'no_paid_plan' })

/** The plan may have ended or its price changed since the person saw the terms. They must accept the new terms before they pay. */
export const termsChanged = () =>
  new UserError('The plan or its price has changed. Check it and confirm again', { reason: 'terms_changed' })
