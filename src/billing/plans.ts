import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { UnknownIdError } from '../projects/projects.ts'
import type { Hundredths } from './money.ts'
import type { Feature } from './schema.ts'

export interface Plan {
  code: string
  name: string
  /** Null means no limit. */
  monthly_ticket_limit: number | null
  features: Record<Feature, boolean>
  /** Null means no limit. */
  operator_seats: number | null
  price: Hundredths
  currency: string | null
  period: 'month' | 'year'
  /** Plans are shown in this order. */
  rank: number
  is_for_sale: boolean
  /** The plan for projects whose plan ends unpaid. */
  is_entry: boolean
  /** The plan that new projects start with. */
  is_trial: boolean
  trial_days: number | null
  /** The plan that a trial becomes. */
  becomes: string | null
}

/** The plan of every installation: no limits, all features. */
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

/** The plan for projects whose plan ends unpaid. There is always one. */
export async function getEntryPlan(sql: Sql): Promise<Plan> {
  const [plan] = await sql<Plan[]>`
    select ${columns(sql)} from plans where is_entry or code = ${builtInPlan} order by is_entry desc limit 1`
  return plan!
}

/** The default plan of a new project: the trial, else the entry plan, else the built-in one. */
export async function getFirstPlan(sql: Sql): Promise<Plan> {
  const [plan] = await sql<Plan[]>`
    select ${columns(sql)} from plans where is_trial or is_entry or code = ${builtInPlan}
    order by is_trial desc, is_entry desc limit 1`
  return plan!
}

/** The projects that have this plan as their current or next one. */
export async function listProjectsOnPlan(sql: Sql, code: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from projects where plan = ${code}
    union select project_id from subscriptions where next_plan = ${code} or becomes = ${code}`
  return rows.map(({ id }) => id)
}

export const costsNothing = (plan: Plan): boolean => plan.price === 0

/** A project may choose it itself. */
export const isOffered = (plan: Plan): boolean => plan.is_for_sale || plan.is_entry

/** Refuses if the plan is the current or next plan of a project. */
export async function deletePlan(sql: Sql, code: string): Promise<void> {
  const { is_entry } = await getPlan(sql, code)
  refuseBuiltIn(code)
  if (is_entry)
    throw new UserError(`Plan "${code}" is the entry plan; make another plan the entry plan first`)
  const { count } = await sql`
    delete from plans where code = ${code}
      and not exists (select from projects where plan = ${code})
      and not exists (select from plans where becomes = ${code})
      and not exists (select from subscriptions where next_plan = ${code} or becomes = ${code})`
  if (!count)
    throw new UserError(
      `Plan "${code}" is in use: a project is on it or has chosen it as the next plan, or a trial becomes it. Change that first`,
    )
}

export function refuseBuiltIn(code: string): void {
  if (code === builtInPlan) throw new UserError(`Plan "${code}" is built in and cannot be changed`)
}
