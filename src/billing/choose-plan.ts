import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { createProject } from '../projects/projects.ts'
import { compareBalance } from './charge.ts'
import { forecastChoice, getBillingState, requireShownTerms, type ShownTerms } from './forecast.ts'
import { findAccount } from './ledger.ts'
import { showMoney, toNumber } from './money.ts'
import { costsNothing, getFirstPlan, getPlan, isOffered, listPlans, type Plan } from './plans.ts'
import { startPaidPlan } from './renew.ts'
import {
  beginSubscription,
  leaveSubscription,
  lockPlanStatus,
  type PlanStatus,
  updateSubscription,
} from './subscription.ts'

/** The current and next plan of a project, as chosen by its owners or set by the installation's admin. */

/** Creates a project on the given plan or on the default for new projects. Must run in a transaction. */
export async function createProjectOnPlan(sql: Sql, { name, plan: code }: { name: string; plan?: string }) {
  const plan = code === undefined ? await getFirstPlan(sql) : await getPlan(sql, code)
  const project = await createProject(sql, { name, plan: plan.code })
  if (plan.is_trial) await beginSubscription(sql, project.id, plan)
  return project
}

/** Set by the admin: the plan starts now, without payment and without an end date. A trial still ends after its days. */
export const setProjectPlan = (store: DbOrTx, projectId: string, code: string): Promise<void> =>
  transact(store, projectId, async tx => {
    await lockPlanStatus(tx, projectId)
    const plan = await getPlan(tx, code)
    if (plan.is_trial) await beginSubscription(tx, projectId, plan)
    else await leaveSubscription(tx, projectId, code)
  })

async function getOffered(tx: Tx, code: string): Promise<Plan> {
  const plan = await getPlan(tx, code)
  if (isOffered(plan)) return plan
  const offered = (await listPlans(tx)).filter(isOffered).map(one => one.code)
  throw new UserError(`Plan "${code}" is not for sale. Plans for sale: ${offered.join(', ') || 'none'}`, {
    reason: 'plan_not_offered',
  })
}

async function refuseCurrency(tx: Tx, plan: Plan): Promise<void> {
  const account = await findAccount(tx, tx.projectId)
  if (account && !costsNothing(plan) && account.currency !== plan.currency)
    throw new UserError(
      `Plan "${plan.code}" is paid in ${plan.currency}, and the balance is in ${account.currency}`,
      { reason: 'other_currency', currency: account.currency },
    )
}

export interface PlanChoiceResult {
  /** The current plan. */
  plan: string
  next_plan: string | null
  expires_at: string | null
}

/** Schedules a plan for the end of the current period. If the current plan has no end, the new one starts and is charged at once. */
export const choosePlan = (
  store: DbOrTx,
  projectId: string,
  code: string,
  seen?: ShownTerms,
): Promise<PlanChoiceResult> =>
  transact(store, projectId, async tx => {
    const standing = await lockPlanStatus(tx, projectId)
    const plan = await getOffered(tx, code)
    await refuseCurrency(tx, plan)
    if (seen) requireShownTerms(forecastChoice(await getBillingState(tx, projectId), plan), seen)
    const { subscription } = standing
    if (!subscription) return goAtOnce(tx, standing, plan)
    const next_plan = code === standing.plan && !subscription.is_trial ? null : code
    await updateSubscription(tx, projectId, { next_plan })
    return { plan: standing.plan, next_plan, expires_at: subscription.expires_at }
  })

async function goAtOnce(tx: Tx, { plan: old }: PlanStatus, plan: Plan): Promise<PlanChoiceResult> {
  if (plan.code === old)
    throw new UserError(`The project is already on plan "${old}"`, { reason: 'same_plan' })
  if (costsNothing(plan)) {
    await leaveSubscription(tx, tx.projectId, plan.code)
    const moved = { old_plan: old, new_plan: plan.code, expires_at: null }
    tx.emit({ type: 'billing.plan_changed', data: moved })
    return { plan: plan.code, next_plan: null, expires_at: null }
  }
  const { shortfall, isEnough } = await compareBalance(tx, tx.projectId, plan)
  if (!isEnough)
    throw new UserError(
      `The balance does not cover plan "${plan.code}": it is ${showMoney(shortfall, plan.currency!)} short`,
      { reason: 'balance_low', shortfall: toNumber(shortfall), currency: plan.currency },
    )
  const { expires_at } = await startPaidPlan(tx, old, plan)
  return { plan: plan.code, next_plan: null, expires_at }
}

/** Whether the plan renews automatically at its end if no other plan was chosen. */
export const setAutoRenew = (store: DbOrTx, projectId: string, on: boolean): Promise<void> =>
  transact(store, projectId, async tx => {
    const { plan, subscription } = await lockPlanStatus(tx, projectId)
    if (!subscription)
      throw new UserError(`Plan "${plan}" has no end, so there is nothing to renew`, { reason: 'no_end' })
    await updateSubscription(tx, projectId, { auto_renew: on })
  })
