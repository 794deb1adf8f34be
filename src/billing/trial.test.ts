import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, passTime, startPricedServer } from '../../test/billing/price-list.ts'
import { eventsOf, type Member } from '../../test/cast.ts'
import { choosePlan, createProjectOnPlan, setAutoRenew } from './choose-plan.ts'
import { findAccount } from './ledger.ts'
import { putPlan } from './put-plan.ts'
import { renewDue, renewNow } from './renew.ts'
import { findPlanStatus } from './subscription.ts'

const server = await startPricedServer()
after(() => server.close())

await putPlan(server.db, { code: 'basic', name: 'Basic', is_for_sale: true })
let acme: Member
beforeEach(async () => {
  const { db } = server
  await db`update subscriptions set expires_at = 'infinity'`
  const { id, name } = await db.begin(tx => createProjectOnPlan(tx, { name: 'Acme' }))
  acme = { id, name, key: server.acme.key }
})

const happened = async (act: () => Promise<unknown>) =>
  (await eventsOf({ ...server, acme }, act)).map(({ type, data }) => ({ type, ...data }))

async function end(): Promise<void> {
  await passTime(server.db, acme, '15 days')
  while ((await renewDue(server.db, acme.id)) > 0);
}

const standing = () => findPlanStatus(server.db, acme.id)

test("if the balance covers it, a trial becomes the paid plan, whose period starts at the trial's end", async () => {
  await give(server.db, acme, 3000)
  const events = await happened(end)
  const { plan, subscription } = await standing()
  assert.deepEqual(events, [
    {
      ...{ type: 'billing.plan_changed', old_plan: 'trial', new_plan: 'team' },
      ...{ expires_at: subscription!.expires_at, amount: 29, new_balance: 1, reason: 'trial_ended' },
    },
  ])
  const [row] = await server.db`
    select anchor between now() - interval '1 day 1 minute' and now() - interval '1 day' as is_right
    from subscriptions where project_id = ${acme.id}`
  assert.deepEqual([plan, subscription!.is_trial, row!.is_right], ['team', false, true])
})

const unpaid = {
  ...{ type: 'billing.plan_downgraded', old_plan: 'trial', new_plan: 'free' },
  ...{ expires_at: null, reason: 'trial_unpaid' },
}

test('an unpaid trial ends on the entry plan', async () => {
  await give(server.db, acme, 2899)
  assert.deepEqual(await happened(end), [unpaid])
  assert.deepEqual(await standing(), { plan: 'free', subscription: null })
  assert.equal((await findAccount(server.db, acme.id))?.balance, 2899)
})

test('with auto-renewal off, a trial does not become a paid plan', async () => {
  await give(server.db, acme, 5000)
  await setAutoRenew(server.db, acme.id, false)
  assert.deepEqual(await happened(end), [unpaid])
  assert.equal((await findAccount(server.db, acme.id))?.balance, 5000)
})

test("a plan chosen during a trial takes precedence over the trial's default", async () => {
  await give(server.db, acme, 29_000)
  await choosePlan(server.db, acme.id, 'firm')
  const [event] = await happened(end)
  assert.deepEqual([event!.new_plan, event!.amount, event!.reason], ['firm', 290, 'trial_ended'])
})

test('a free plan chosen during a trial has no amount and no end', async () => {
  await choosePlan(server.db, acme.id, 'basic')
  const moved = { old_plan: 'trial', new_plan: 'basic', expires_at: null }
  assert.deepEqual(await happened(end), [{ type: 'billing.plan_changed', ...moved, reason: 'trial_ended' }])
})

test('a trial can be paid before it ends', async () => {
  await give(server.db, acme, 2900)
  const { expires_at } = (await standing()).subscription!
  const [event] = await happened(() => renewNow(server.db, acme.id, expires_at))
  const moved = { old_plan: 'trial', new_plan: 'team', amount: 29, new_balance: 0 }
  const ended = (await standing()).subscription!.expires_at
  assert.deepEqual(event, {
    type: 'billing.plan_changed',
    ...{ ...moved, expires_at: ended, reason: 'trial_paid' },
  })
})

test('the plan that a trial becomes is fixed when the trial starts', async () => {
  await putPlan(server.db, { code: 'trial', name: 'Trial', becomes: 'firm' })
  await give(server.db, acme, 40_000)
  const [event] = await happened(end)
  assert.equal(event!.new_plan, 'team')
  await putPlan(server.db, { code: 'trial', name: 'Trial', becomes: 'team' })
})
