import type { Db, Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import {
  builtInPlan,
  costsNothing,
  findPlan,
  getEntryPlan,
  getPlan,
  type Plan,
  refuseBuiltIn,
} from './plans.ts'
import type { Feature } from './schema.ts'

/** Omitted fields do not change. A new plan defaults to no limits, all features and no price. */
export type PlanChange = Pick<Plan, 'code'> &
  Partial<Omit<Plan, 'features' | 'is_trial'>> & { features?: Partial<Record<Feature, boolean>> }

const blank: Omit<Plan, 'code' | 'name'> = {
  monthly_ticket_limit: null,
  features: { knowledge_base: true },
  operator_seats: null,
  price: 0,
  currency: null,
  period: 'month',
  rank: 0,
  is_for_sale: false,
  is_entry: false,
  is_trial: false,
  trial_days: null,
  becomes: null,
}

function startPlan({ code, name }: Pick<PlanChange, 'code' | 'name'>): Plan {
  if (name) return { ...blank, code, name }
  throw new UserError(`Plan "${code}" does not exist. To create it, add a name: --name NAME`)
}

const merge = (old: Plan | null, { features, ...change }: PlanChange): Plan => {
  const base = old ?? startPlan(change)
  const trial_days = change.trial_days === undefined ? base.trial_days : change.trial_days
  return {
    ...base,
    ...change,
    features: { ...base.features, ...features },
    is_trial: trial_days !== null,
    ...(trial_days === null && change.becomes === undefined && { becomes: null }),
  }
}

/** What is wrong with a plan; null if it is valid. */
function findFault(plan: Plan, old: Plan | null): string | null {
  if (!costsNothing(plan) && !plan.currency) return 'A plan with a price needs a currency'
  if (!costsNothing(plan) && plan.is_entry) return 'The entry plan costs nothing'
  if (!costsNothing(plan) && plan.is_trial) return 'A trial costs nothing'
  if (plan.is_trial && old && !old.is_trial)
    return 'A plan that is not a trial cannot become one; create a new plan'
  if (plan.is_trial && plan.is_entry) return 'A trial cannot be the entry plan'
  if (plan.is_trial && plan.is_for_sale) return 'A trial is not for sale'
  if (plan.becomes && !plan.is_trial) return 'Only a trial becomes another plan'
  if (plan.becomes === plan.code) return 'A trial becomes another plan, not itself'
  if (old?.is_entry && !plan.is_entry)
    return `Plan "${plan.code}" is the entry plan; make another plan that instead`
  return null
}

/** Paid plans and trials need an entry plan to fall back to. */
async function requireEntry(sql: Sql, plan: Plan): Promise<void> {
  const isEnding = plan.is_trial || (plan.is_for_sale && !costsNothing(plan))
  if (isEnding && (await getEntryPlan(sql)).code === builtInPlan)
    throw new UserError(
      'There is no entry plan yet for projects that do not pay; create one: deskbell plan set free --name Free --entry yes',
    )
}

async function requireBecomes(sql: Sql, { becomes }: Plan): Promise<void> {
  if (becomes && (await getPlan(sql, becomes)).is_trial)
    throw new UserError('A trial cannot become another trial')
}

/** There is one entry plan and one trial. A new one replaces the old one. */
async function takePlaces(sql: Sql, { code, is_entry, is_trial }: Plan): Promise<void> {
  if (is_entry) await sql`update plans set is_entry = false where is_entry and code <> ${code}`
  if (is_trial)
    await sql`update plans set is_trial = false, trial_days = null, becomes = null where is_trial and code <> ${code}`
}

/** Runs in the transaction of the change; `old` is null for a new plan. */
type Beside = (sql: Sql, old: Plan | null, plan: Plan) => Promise<void>

/** Creates or changes a plan. A change applies at once to projects without an end date, and to others when they renew. */
export const putPlan = (db: Db, change: PlanChange, beside: Beside = async () => {}): Promise<Plan> =>
  db.begin(async sql => {
    await sql`lock table plans in share row exclusive mode`
    const old = await findPlan(sql, change.code)
    const plan = await writePlan(sql, old, change)
    await beside(sql, old, plan)
    return plan
  })

async function writePlan(sql: Sql, old: Plan | null, change: PlanChange): Promise<Plan> {
  refuseBuiltIn(change.code)
  const plan = merge(old, change)
  const fault = findFault(plan, old)
  if (fault) throw new UserError(fault)
  await requireBecomes(sql, plan)
  await takePlaces(sql, plan)
  await requireEntry(sql, plan)
  const { code, ...fields } = plan
  const row = { ...fields, features: sql.json(plan.features) }
  await sql`
    insert into plans ${sql({ code, ...row })} on conflict (code) do update set ${sql(row)}`
  return getPlan(sql, code)
}
