import { differenceOf } from '../../audit/difference.ts'
import {
  deletePlan,
  listPlans,
  listProjectsOnPlan,
  type Plan,
  type PlanChange,
  putPlan,
  toNumber,
} from '../../billing/billing.ts'
import type { Db, Sql } from '../../core/db/db.ts'
import { auditInProjects } from '../audited.ts'
import { type Command, command } from '../command.ts'
import type { Values } from '../parse.ts'
import { drawRecords } from '../table.ts'
import { planReaders, readCode, readPricing } from './plan-values.ts'

const yesNo = (is: boolean): string => (is ? 'yes' : 'no')

const present = (plan: Plan) => ({ ...plan, price: toNumber(plan.price) })
type Shown = ReturnType<typeof present>

/** Shows prices and trials only if at least one plan has them. */
const showPlan = (plan: Shown, isPriced: boolean) => ({
  code: plan.code,
  name: plan.name,
  tickets: plan.monthly_ticket_limit ?? 'unlimited',
  knowledge: yesNo(plan.features.knowledge_base),
  ...(isPriced && {
    seats: plan.operator_seats ?? 'unlimited',
    price: plan.price === 0 ? 'free' : `${plan.price.toFixed(2)} ${plan.currency} a ${plan.period}`,
    sold: yesNo(plan.is_for_sale),
    kind: plan.is_entry ? 'entry' : plan.is_trial ? `trial of ${plan.trial_days} days` : null,
    becomes: plan.becomes,
  }),
})

const isPriced = (plan: Shown): boolean =>
  plan.price > 0 || plan.is_entry || plan.is_trial || plan.is_for_sale || plan.operator_seats !== null

const drawPlans = (plans: Shown[]): string =>
  drawRecords(
    plans.map(plan => showPlan(plan, plans.some(isPriced))),
    '',
  )

function readChange({ CODE: code = '', price, currency, ...given }: Values): PlanChange {
  const read = Object.entries(planReaders).filter(([option]) => given[option] !== undefined)
  const fields = read.map(([option, reader]) => reader(given[option]!))
  return Object.assign({ code: readCode(code), ...readPricing(price, currency) }, ...fields)
}

async function noteChange(sql: Sql, old: Plan | null, plan: Plan): Promise<void> {
  const detail = old && differenceOf(present(old), present(plan))
  if (!detail) return
  const target = { type: 'plan', id: plan.code, name: plan.name }
  await auditInProjects(sql, await listProjectsOnPlan(sql, plan.code), {
    action: 'billing.plan_changed',
    target,
    detail,
  })
}

const setPlan = (db: Db, values: Values): Promise<Plan> => putPlan(db, readChange(values), noteChange)

export const planCommands: Command[] = [
  command(
    {
      name: 'plan set',
      about:
        'Creates or updates a plan. Omitted options stay the same. A new plan needs a name; by default it is free and has no limits',
      arguments: ['CODE'],
      optional: [...Object.keys(planReaders), 'price', 'currency'],
    },
    async ({ db }, values) => present(await setPlan(db, values)),
    plan => drawPlans([plan]),
  ),
  command(
    { name: 'plan list', about: 'Lists the plans' },
    async ({ db }) => ({ items: (await listPlans(db)).map(present) }),
    ({ items }) => drawPlans(items),
  ),
  command(
    { name: 'plan delete', about: 'Deletes a plan that no project uses', arguments: ['CODE'] },
    ({ db }, { CODE: code = '' }) => deletePlan(db, code).then(() => ({ code, is_deleted: true })),
    ({ code }) => `Plan ${code} deleted`,
  ),
]
