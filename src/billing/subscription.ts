import type { Sql } from '../core/db/db.ts'
import { noteDue } from '../core/due/due-work.ts'
import { newId } from '../core/ids.ts'
import { toDatabase } from '../core/time.ts'
import { findProject } from '../projects/projects.ts'
import type { Plan } from './plans.ts'

export interface Subscription {
  id: string
  /** Months paid since the start. It only grows, so it identifies a period. */
  months: number
  expires_at: string
  is_due: boolean
  is_trial: boolean
  auto_renew: boolean
  becomes: string | null
  next_plan: string | null
}

/** The project's plan, and its subscription if that plan has an end. */
export interface PlanStatus {
  plan: string
  subscription: Subscription | null
}

export async function findPlanStatus(sql: Sql, projectId: string): Promise<PlanStatus> {
  const { plan } = await findProject(sql, projectId)
  const [subscription] = await sql<Subscription[]>`
    select id, months, expires_at, expires_at <= now() as is_due, is_trial, auto_renew, becomes, next_plan
    from subscriptions where project_id = ${projectId}`
  return { plan, subscription: subscription ?? null }
}

/** Locks the plan and subscription until the transaction ends. Take this lock before the account's. */
export async function lockPlanStatus(sql: Sql, projectId: string): Promise<PlanStatus> {
  await findProject(sql, projectId)
  await sql`select from projects where id = ${projectId} for no key update`
  return findPlanStatus(sql, projectId)
}

const monthsOf = ({ period }: Plan): number => (period === 'year' ? 12 : 1)

const setPlan = (sql: Sql, projectId: string, code: string) =>
  sql`update projects set plan = ${code} where id = ${projectId} and plan <> ${code}`

const insertPeriod = (sql: Sql, projectId: string, plan: Plan, from: string, to: string) => sql`
  insert into plan_periods (project_id, starts_at, ends_at, plan, price, currency, monthly_ticket_limit, features, operator_seats)
  values (${projectId}, ${toDatabase(from)}, ${toDatabase(to)}, ${plan.code}, ${plan.price}, ${plan.currency},
    ${plan.monthly_ticket_limit}, ${plan.features}::jsonb, ${plan.operator_seats})`

interface Began {
  id: string
  anchor: string
  expires_at: string
}

/** Starts the first period of a plan with an end, at the given time or now. Replaces the previous subscription. */
export async function beginSubscription(
  sql: Sql,
  projectId: string,
  plan: Plan,
  { from = null, autoRenew = true }: { from?: string | null; autoRenew?: boolean } = {},
): Promise<Began> {
  const months = plan.is_trial ? 0 : monthsOf(plan)
  await leaveSubscription(sql, projectId, plan.code)
  const [began] = await sql<Began[]>`
    insert into subscriptions (project_id, id, anchor, months, expires_at, is_trial, auto_renew, becomes)
    select ${projectId}, ${newId()}, anchor, ${months}::int,
      anchor + ${months}::int * interval '1 month' + ${plan.trial_days ?? 0}::int * interval '1 day',
      ${plan.is_trial}, ${autoRenew}, ${plan.becomes}
    from (select ${from ? sql`${toDatabase(from)}::timestamptz` : sql`now()`} as anchor) at
    returning id, anchor, expires_at`
  await sql`${noteDue(sql, projectId, 'renewals', toDatabase(began!.expires_at))}`
  await insertPeriod(sql, projectId, plan, began!.anchor, began!.expires_at)
  return began!
}

/** Adds one period, of this plan or another, at the end of the last one. Clears the chosen next plan. */
export async function extendSubscription(
  sql: Sql,
  projectId: string,
  plan: Plan,
  { expires_at: from, next_plan }: Subscription,
): Promise<string> {
  const months = monthsOf(plan)
  const [extended] = await sql<{ expires_at: string }[]>`
    update subscriptions set months = months + ${months},
      expires_at = anchor + (months + ${months}) * interval '1 month',
      next_plan = ${next_plan === plan.code ? null : next_plan}
    where project_id = ${projectId} returning expires_at`
  await setPlan(sql, projectId, plan.code)
  await insertPeriod(sql, projectId, plan, from, extended!.expires_at)
  return extended!.expires_at
}

/** Moves the project to a plan without an end. */
export async function leaveSubscription(sql: Sql, projectId: string, code: string): Promise<void> {
  await sql`delete from subscriptions where project_id = ${projectId}`
  await setPlan(sql, projectId, code)
}

export const updateSubscription = (
  sql: Sql,
  projectId: string,
  fields: Partial<Pick<Subscription, 'auto_renew' | 'next_plan'>>,
) => sql`update subscriptions set ${sql(fields)} where project_id = ${projectId}`
