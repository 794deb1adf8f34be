import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { putPlans } from '../../test/billing/price-list.ts'
import { createDatabase } from '../../test/database.ts'
import type { Db } from '../core/db/db.ts'
import { createProjectOnPlan } from './choose-plan.ts'
import { deletePlan, getEntryPlan, getPlan } from './plans.ts'
import { type PlanChange, putPlan } from './put-plan.ts'
import { findPlanStatus } from './subscription.ts'

let db: Db
let drop: () => Promise<void>
before(async () => {
  ;({ db, drop } = await createDatabase())
})
beforeEach(async () => {
  await db`delete from subscriptions`
  await db`update projects set plan = 'unlimited'`
  await db`delete from plans where code <> 'unlimited'`
})
after(() => drop())

const open = (plan?: string) =>
  db.begin(tx => createProjectOnPlan(tx, { name: 'New', ...(plan && { plan }) }))

test('without plans, a new project gets the built-in plan, without limits and end date', async () => {
  const { id, plan } = await open()
  assert.equal(plan, 'unlimited')
  assert.deepEqual(await findPlanStatus(db, id), { plan: 'unlimited', subscription: null })
})

test('a new project starts on the given plan, else the trial, else the entry plan', async () => {
  await putPlan(db, { code: 'free', name: 'Free', is_entry: true })
  assert.equal((await open()).plan, 'free')
  await putPlans(db)
  const { id } = await open()
  const { plan, subscription } = await findPlanStatus(db, id)
  assert.deepEqual([plan, subscription?.is_trial, subscription?.becomes], ['trial', true, 'team'])
  const [row] = await db`
    select expires_at = anchor + interval '14 days' as is_right from subscriptions where project_id = ${id}`
  assert.equal(row?.is_right, true)
  assert.deepEqual(await findPlanStatus(db, (await open('team')).id), { plan: 'team', subscription: null })
})

test('there is one entry plan and one trial: a new one replaces the old one', async () => {
  await putPlans(db)
  await putPlan(db, { code: 'start', name: 'Start', is_entry: true })
  assert.equal((await getEntryPlan(db)).code, 'start')
  assert.equal((await getPlan(db, 'free')).is_entry, false)
  await putPlan(db, { code: 'taste', name: 'Taste', trial_days: 7 })
  const { is_trial, trial_days, becomes } = await getPlan(db, 'trial')
  assert.deepEqual([is_trial, trial_days, becomes], [false, null, null])
})

test('fields omitted from a change keep their values', async () => {
  await putPlans(db)
  const before = await getPlan(db, 'team')
  const features = { knowledge_base: false }
  const changed = { ...before, name: 'Crew', features }
  assert.deepEqual(await putPlan(db, { code: 'team', name: 'Crew', features }), changed)
  assert.deepEqual(await putPlan(db, { code: 'team', rank: 7 }), { ...changed, rank: 7 })
})

test('paid plans and trials cannot be offered until there is an entry plan to fall back to', async () => {
  const paid = { code: 'team', name: 'Team', price: 2900, currency: 'EUR' }
  await assert.rejects(putPlan(db, { ...paid, is_for_sale: true }), /no entry plan yet/)
  await assert.rejects(putPlan(db, { code: 'trial', name: 'Trial', trial_days: 14 }), /no entry plan yet/)
  await putPlan(db, paid)
  await putPlan(db, { code: 'free', name: 'Free', is_entry: true })
  await putPlan(db, { ...paid, is_for_sale: true })
  assert.equal((await getPlan(db, 'team')).is_for_sale, true)
})

test('contradictory plans are refused with an explanation', async () => {
  await putPlans(db)
  const wrong: [PlanChange, RegExp][] = [
    [{ code: 'unlimited', name: 'Mine' }, /built in/],
    [{ code: 'gold', rank: 1 }, /Plan "gold" does not exist. To create it, add a name: --name NAME/],
    [{ code: 'gold', name: 'Gold', price: 100 }, /needs a currency/],
    [{ code: 'gold', name: 'Gold', price: 100, currency: 'EUR', is_entry: true }, /entry plan costs nothing/],
    [{ code: 'gold', name: 'Gold', price: 100, currency: 'EUR', trial_days: 3 }, /trial costs nothing/],
    [{ code: 'gold', name: 'Gold', is_entry: true, trial_days: 3 }, /cannot be the entry plan/],
    [{ code: 'gold', name: 'Gold', is_for_sale: true, trial_days: 3 }, /not for sale/],
    [{ code: 'gold', name: 'Gold', becomes: 'team' }, /Only a trial/],
    [{ code: 'trial', name: 'Trial', becomes: 'trial' }, /not itself/],
    [{ code: 'trial', name: 'Trial', becomes: 'gold' }, /does not exist/],
    [{ code: 'free', name: 'Free', is_entry: false }, /make another plan that instead/],
    [{ code: 'team', name: 'Team', price: 0, trial_days: 3, is_for_sale: false }, /create a new plan/],
  ]
  const before = await db`select * from plans order by code`
  for (const [change, expected] of wrong) await assert.rejects(putPlan(db, change), expected)
  assert.deepEqual([...(await db`select * from plans order by code`)], [...before])
})

test('the entry plan, and the current or next plan of a project, cannot be deleted', async () => {
  await putPlans(db)
  const { id } = await open()
  await assert.rejects(deletePlan(db, 'trial'), /is in use/)
  await assert.rejects(deletePlan(db, 'team'), /a trial becomes it/)
  await assert.rejects(deletePlan(db, 'free'), /entry plan/)
  await db`update subscriptions set next_plan = 'firm' where project_id = ${id}`
  await assert.rejects(deletePlan(db, 'firm'), /as the next plan/)
  await db`update subscriptions set next_plan = null where project_id = ${id}`
  await deletePlan(db, 'firm')
  await assert.rejects(getPlan(db, 'firm'), /does not exist; these do: free, trial, unlimited, team/)
})
