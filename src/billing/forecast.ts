import type { Sql } from '../core/db/db.ts'
import { tableOf } from '../core/objects.ts'
import { balanceFor } from './charge.ts'
import { type BillingAccount, findAccount } from './ledger.ts'
import { toNumber } from './money.ts'
import { builtInPlan, costsNothing, listPlans, type Plan } from './plans.ts'
import { nextPlanCode, termsChanged } from './renew.ts'
import { findPlanStatus, type PlanStatus } from './subscription.ts'

/** Forecasts how a choice, a renewal and the end of the period change plan and balance. Shown before anything is paid. */

export interface ForecastStep {
  plan: string
  plan_name: string
  /** Null means at once. */
  at: string | null
  amount: number
  balance_after: number
  /** The amount missing from the balance; null if the balance is sufficient. */
  shortfall: number | null
  /** When the paid period ends; null if it has no end. */
  expires_at: string | null
}

export type ForecastReason = 'renewal' | 'choice' | 'trial_end' | 'auto_renew_off' | 'balance_low'

type Ends = Record<Plan['period'], string | null>

interface Books {
  standing: PlanStatus
  account: BillingAccount | null
  plans: Plan[]
  fromNow: Ends
  fromEnd: Ends
}

/** The end of a period that begins now, and of one that follows the current period. */
async function findEnds(sql: Sql, projectId: string): Promise<Pick<Books, 'fromNow' | 'fromEnd'>> {
  const rows = await sql<{ period: Plan['period']; from_now: string; from_end: string | null }[]>`
    select p.period, now() + p.months * interval '1 month' as from_now, case when s.is_trial
      then s.expires_at + p.months * interval '1 month'
      else s.anchor + (s.months + p.months) * interval '1 month' end as from_end
    from (values ('month', 1), ('year', 12)) as p (period, months)
    left join subscriptions s on s.project_id = ${projectId}`
  const of = (name: 'from_now' | 'from_end'): Ends =>
    tableOf(['month', 'year'], period => rows.find(row => row.period === period)![name])
  return { fromNow: of('from_now'), fromEnd: of('from_end') }
}

export const getBillingState = async (sql: Sql, projectId: string): Promise<Books> => ({
  standing: await findPlanStatus(sql, projectId),
  account: await findAccount(sql, projectId),
  plans: await listPlans(sql),
  ...(await findEnds(sql, projectId)),
})

function stepTo({ standing, account, fromNow, fromEnd }: Books, plan: Plan, at: string | null): ForecastStep {
  const isGoingOn = at === null && plan.code === standing.plan && !standing.subscription?.is_trial
  const balance = balanceFor(account, plan)
  const missing = costsNothing(plan) ? 0 : Math.max(plan.price - balance, 0)
  const hasEnd = !costsNothing(plan) || plan.code === standing.plan
  return {
    plan: plan.code,
    plan_name: plan.name,
    at,
    amount: toNumber(plan.price),
    balance_after: toNumber(missing ? balance : balance - plan.price),
    shortfall: missing ? toNumber(missing) : null,
    expires_at: hasEnd ? (at === null && !isGoingOn ? fromNow : fromEnd)[plan.period] : null,
  }
}

const planOf = ({ plans }: Books, code: string | null): Plan | undefined =>
  plans.find(plan => plan.code === code)

/** The effect of choosing this plan; null if it cannot be chosen. */
export function forecastChoice(books: Books, plan: Plan): ForecastStep | null {
  const { account, standing } = books
  const { subscription } = standing
  if (account && !costsNothing(plan) && account.currency !== plan.currency) return null
  if (!subscription) return plan.code === standing.plan ? null : stepTo(books, plan, null)
  const { next_plan, is_trial, becomes, expires_at } = subscription
  const next = next_plan ?? (is_trial ? becomes : standing.plan)
  return plan.code === next ? null : stepTo(books, plan, expires_at)
}

/** The effect of a manual renewal; null if nothing can be renewed. */
export function forecastRenewal(books: Books): ForecastStep | null {
  const { plan: old, subscription } = books.standing
  if (!subscription) return null
  const { is_trial, next_plan, becomes } = subscription
  const plan = planOf(books, is_trial ? (next_plan ?? becomes) : old)
  return plan && !(is_trial && costsNothing(plan)) ? stepTo(books, plan, null) : null
}

/** What happens at the end of the current period with the current balance. */
export function forecastEnd(books: Books): (ForecastStep & { reason: ForecastReason }) | null {
  const { plan: old, subscription } = books.standing
  if (!subscription) return null
  const { is_trial, expires_at } = subscription
  const entry = stepTo(
    books,
    books.plans.find(plan => plan.is_entry) ?? planOf(books, builtInPlan)!,
    expires_at,
  )
  const plan = planOf(books, nextPlanCode({ old, subscription }))
  if (!plan) return { ...entry, reason: 'auto_renew_off' }
  const step = stepTo(books, plan, expires_at)
  if (step.shortfall !== null) return { ...entry, shortfall: step.shortfall, reason: 'balance_low' }
  return { ...step, reason: is_trial ? 'trial_end' : plan.code === old ? 'renewal' : 'choice' }
}

/** The terms that a person was shown and accepted. */
export type ShownTerms = Pick<ForecastStep, 'at' | 'amount'>

export function requireShownTerms(step: ForecastStep | null, { at, amount }: ShownTerms): void {
  if (step?.at !== at || step.amount !== amount) throw termsChanged()
}
