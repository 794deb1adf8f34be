import type { Sql } from '../core/db.ts'
import { UserError } from '../core/user-error.ts'
import { UnknownIdError } from '../projects/projects.ts'
import type { Hundredths } from './money.ts'
import type { Feature } from './schema.ts'

export interface Plan {
  code: string
  name: string
  /** Null is no limit. */
  monthly_ticket_limit: number | null
  features: Record<Feature, boolean>
  /** Null is no limit. */
  operator_seats: number | null
  price: Hundredths
  currency: string | null
  period: 'month' | 'year'
  /** Plans are shown in this order. */
  rank: number
  is_for_sale: boolean
  /** Where a project goes whose plan ends unpaid. */
  is_entry: boolean
  /** What a new project begins with. */
  is_trial: boolean
  trial_days: number | null
  /** The plan that a trial becomes. */
  becomes: string | null
}

/** What every installation has: no limit, every feature. */
export const builtInPlan = 'unlimited'

const columns = (sql: Sql) => sql`code, name, monthly_ticket_limit,
  jsonb_build_object('knowledge_base', coalesce((features ->> 'knowledge_base')::boolean, false)) as features,
  operator_seats, price, currency, period, rank, is_for_sale, is_entry, is_trial, trial_days, becomes`

export const listPlans = async (sql: Sql): Promise<Plan[]> => [
  ...(await sql<Plan[]>`select ${columns(sql)} from plans order by rank, code`),
]

export async function findPlan(sql: Sql, code: string): Promise<Plan | null> {
  const [plan] = await sql<Plan[]>`select ${columns(sql)} from plans where code = ${code}`
  return plan ?? null
}

export async function getPlan(sql: Sql, code: string): Promise<Plan> {
  const plan = await findPlan(sql, code)
  if (plan) return plan
  const codes = (await listPlans(sql)).map(known => known.code)
  throw new UnknownIdError('Plan', code, `these do: ${codes.join(', ')}`)
}

/** Where a project goes whose plan ends unpaid: there is always one. */
export async function getEntryPlan(sql: Sql): Promise<Plan> {
  const [plan] = await sql<Plan[]>`
    select ${columns(sql)} from plans where is_entry or code = ${builtInPlan} order by is_entry desc limit 1`
  return plan!
}

/** The plan of a new project that nobody has chosen one for: the trial, else the entry plan, else the built-in one. */
export async function getFirstPlan(sql: Sql): Promise<Plan> {
  const [plan] = await sql<Plan[]>`
    select ${columns(sql)} from plans where is_trial or is_entry or code = ${builtInPlan}
    order by is_trial desc, is_entry desc limit 1`
  return plan!
}

/** The projects that are on a plan, or that it is to come to. */
export async function listProjectsOnPlan(sql: Sql, code: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from projects where plan = ${code}
    union select project_id from subscriptions where next_plan = ${code} or becomes = ${code}`
  return rows.map(({ id }) => id)
}

export const costsNothing = (plan: Plan): boolean => plan.price === 0

/** A project may choose it itself. */
export const isOffered = (plan: Plan): boolean => plan.is_for_sale || plan.is_entry

/** A plan that anybody is on, or that is to be somebody's next one, stays. */
export async function deletePlan(sql: Sql, code: string): Promise<void> {
  const { is_entry } = await getPlan(sql, code)
  refuseBuiltIn(code)
  if (is_entry) throw new UserError(`Plan "${code}" is the entry plan; make another plan that first`)
  const { count } = await sql`
    delete from plans where code = ${code}
      and not exists (select from projects where plan = ${code})
      and not exists (select from plans where becomes = ${code})
      and not exists (select from subscriptions where next_plan = ${code} or becomes = ${code})`
  if (!count)
    throw new UserError(
      `Plan "${code}" has projects, now or as their next plan, or a trial becomes it; move them to another plan first`,
    )
}

export function refuseBuiltIn(code: string): void {
  if (code === builtInPlan) throw new UserError(`Plan "${code}" is built in and stays as it is`)
}
