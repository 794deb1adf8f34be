import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, passTime, startPricedServer } from '../../test/billing/price-list.ts'
import { eventsOf, lastSeq, listEvents, type Member } from '../../test/cast.ts'
import { choosePlan, createProjectOnPlan, setAutoRenew, setProjectPlan } from './choose-plan.ts'
import { findAccount, listLedgerEntries } from './ledger.ts'
import { putPlan } from './put-plan.ts'
import { renewDue, renewNow } from './renew.ts'
import { findPlanStatus } from './subscription.ts'
import { findUsage } from './usage.ts'

const server = await startPricedServer()
after(() => server.close())

let acme: Member

/** Each test has its own project, on the entry plan. */
beforeEach(async () => {
  const { db } = server
  await db`update subscriptions set expires_at = 'infinity'`
  const { id, name } = await db.begin(tx => createProjectOnPlan(tx, { name: 'Acme', plan: 'free' }))
  acme = { id, name, key: server.acme.key }
})

const happened = async (act: () => Promise<unknown>) =>
  (await eventsOf({ ...server, acme }, act)).map(({ type, data }) => ({ type, ...data }))

const runJob = async (): Promise<void> => {
  while ((await renewDue(server.db, acme.id)) > 0);
}

async function startTeam(balance = 2900): Promise<void> {
  await give(server.db, acme, balance)
  await choosePlan(server.db, acme.id, 'team')
}

const endOf = async (): Promise<string> => (await findPlanStatus(server.db, acme.id)).subscription!.expires_at
const balanceOf = async () => (await findAccount(server.db, acme.id))?.balance

test('a paid plan chosen on a plan without an end starts at once and is paid from the balance', async () => {
  await give(server.db, acme, 3000)
  const events = await happened(() => choosePlan(server.db, acme.id, 'team'))
  assert.deepEqual(events, [
    {
      ...{ type: 'billing.plan_changed', old_plan: 'free', new_plan: 'team' },
      ...{ expires_at: await endOf(), amount: 29, new_balance: 1 },
    },
  ])
  const [entry] = await listLedgerEntries(server.db, acme.id)
  assert.match(entry!.reference!, /^team \d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d$/)
})

test('a paid plan does not start if the balance does not cover it', async () => {
  await give(server.db, acme, 2899)
  const refused = () => choosePlan(server.db, acme.id, 'team')
  assert.deepEqual(await happened(() => assert.rejects(refused(), /0\.01 EUR short/)), [])
  assert.equal((await findPlanStatus(server.db, acme.id)).plan, 'free')
})

test('a plan that does not exist, is not for sale or has another currency is refused', async () => {
  await putPlan(server.db, { code: 'secret', name: 'Secret', price: 100, currency: 'EUR' })
  const dollars = { price: 100, currency: 'USD', is_for_sale: true }
  await putPlan(server.db, { code: 'dollar', name: 'Dollar', ...dollars })
  await give(server.db, acme, 5000)
  const refused: [string, RegExp][] = [
    ['gold', /does not exist/],
    ['secret', /not for sale\. Plans for sale: dollar, free, team, firm/],
    ['trial', /not for sale/],
    ['unlimited', /not for sale/],
    ['dollar', /paid in USD, and the balance is in EUR/],
    ['free', /already/],
  ]
  for (const [code, expected] of refused)
    await assert.rejects(choosePlan(server.db, acme.id, code), expected, code)
  assert.equal(await balanceOf(), 5000)
})

test('a plan is renewed from the balance at its end', async () => {
  await startTeam(2900 + 3350)
  const end = await endOf()
  await passTime(server.db, acme, '32 days')
  const events = await happened(runJob)
  assert.deepEqual(events, [
    {
      ...{ type: 'billing.plan_renewed', plan: 'team', amount: 29, new_balance: 4.5 },
      ...{ expires_at: await endOf(), trigger: 'auto' },
    },
  ])
  assert.match(events[0]!.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
  assert.ok((await endOf()) > new Date().toISOString() && end > new Date().toISOString())
})

test('a plan is not renewed before its end', async () => {
  await startTeam(10_000)
  await passTime(server.db, acme, '20 days')
  assert.deepEqual(await happened(runJob), [])
})

test('if the balance is too low, the plan ends with three events and the project moves to the entry plan', async () => {
  await startTeam(2900 + 1250)
  await passTime(server.db, acme, '32 days')
  const expired_at = await endOf()
  assert.deepEqual(await happened(runJob), [
    { type: 'billing.balance_low', plan: 'team', balance: 12.5, price: 29, shortfall: 16.5 },
    {
      type: 'billing.subscription_expired',
      ...{ old_plan: 'team', reason: 'insufficient_balance', expired_at },
    },
    { type: 'billing.plan_downgraded', old_plan: 'team', new_plan: 'free', expires_at: null },
  ])
  assert.deepEqual(await findPlanStatus(server.db, acme.id), { plan: 'free', subscription: null })
  assert.equal(await balanceOf(), 1250)
})

test('with auto-renewal off and no next plan, the plan ends even if the balance covers it', async () => {
  await startTeam(10_000)
  await setAutoRenew(server.db, acme.id, false)
  await passTime(server.db, acme, '32 days')
  const expired_at = await endOf()
  assert.deepEqual(await happened(runJob), [
    { type: 'billing.subscription_expired', old_plan: 'team', reason: 'auto_renew_disabled', expired_at },
    { type: 'billing.plan_downgraded', old_plan: 'team', new_plan: 'free', expires_at: null },
  ])
  assert.equal(await balanceOf(), 7100)
})

test('a paid next plan starts at the end, even with auto-renewal off', async () => {
  await startTeam(2900 + 29_000)
  await choosePlan(server.db, acme.id, 'firm')
  await setAutoRenew(server.db, acme.id, false)
  await passTime(server.db, acme, '32 days')
  const events = await happened(runJob)
  const moved = { old_plan: 'team', new_plan: 'firm', expires_at: await endOf() }
  assert.deepEqual(events, [{ type: 'billing.plan_changed', ...moved, amount: 290, new_balance: 0 }])
  assert.equal((await findPlanStatus(server.db, acme.id)).subscription!.next_plan, null)
})

test('the project moves to the entry plan if the balance does not cover the next plan', async () => {
  await startTeam(2900 + 28_999)
  await choosePlan(server.db, acme.id, 'firm')
  await passTime(server.db, acme, '32 days')
  const [low, expired, downgraded] = await happened(runJob)
  assert.deepEqual([low!.plan, low!.price, low!.shortfall], ['firm', 290, 0.01])
  assert.deepEqual([expired!.old_plan, expired!.reason], ['team', 'insufficient_balance'])
  assert.deepEqual([downgraded!.old_plan, downgraded!.new_plan], ['team', 'free'])
})

test('a free next plan costs nothing and has no end', async () => {
  await startTeam(5000)
  await choosePlan(server.db, acme.id, 'free')
  await passTime(server.db, acme, '32 days')
  const moved = { old_plan: 'team', new_plan: 'free', expires_at: null }
  assert.deepEqual(await happened(runJob), [{ type: 'billing.plan_changed', ...moved }])
  assert.equal(await balanceOf(), 2100)
})

test('choosing the current plan cancels an earlier choice', async () => {
  await startTeam(10_000)
  await choosePlan(server.db, acme.id, 'firm')
  assert.equal((await choosePlan(server.db, acme.id, 'team')).next_plan, null)
})

test('after a downtime, each period that has begun is charged, one after another', async () => {
  await startTeam(2900 * 4)
  await server.db`update subscriptions set anchor = '2026-01-31T10:00:00Z', expires_at = '2026-02-28T10:00:00Z'
    where project_id = ${acme.id}`
  await server.db`update plan_periods set starts_at = '2026-01-31T10:00:00Z', ends_at = '2026-02-28T10:00:00Z'
    where project_id = ${acme.id}`
  const events = await happened(runJob)
  assert.deepEqual(
    events.slice(0, 3).map(({ expires_at, new_balance }) => [expires_at.slice(0, 16), new_balance]),
    [
      ['2026-03-31T10:00', 58],
      ['2026-04-30T10:00', 29],
      ['2026-05-31T10:00', 0],
    ],
  )
  assert.deepEqual(
    events.slice(3).map(({ type }) => type),
    ['billing.balance_low', 'billing.subscription_expired', 'billing.plan_downgraded'],
  )
  assert.equal(events[4]!.expired_at.slice(0, 16), '2026-05-31T10:00')
})

test('a manual renewal adds a period after the current one', async () => {
  await startTeam(6000)
  const seen = await endOf()
  const events = await happened(() => renewNow(server.db, acme.id, seen))
  const [{ expires_at, ...event }] = events as [{ expires_at: string }]
  assert.deepEqual(event, {
    type: 'billing.plan_renewed',
    ...{ plan: 'team', amount: 29, new_balance: 2, trigger: 'manual' },
  })
  assert.equal(expires_at, await endOf())
  assert.ok(expires_at > seen)
})

test('a manual renewal with too low a balance emits billing.balance_low and changes nothing', async () => {
  await startTeam(2900 + 500)
  const seen = await endOf()
  const [event, ...others] = await happened(() => renewNow(server.db, acme.id, seen))
  const low = { plan: 'team', balance: 5, price: 29, shortfall: 24 }
  assert.deepEqual(event, { type: 'billing.balance_low', ...low, trigger: 'manual' })
  assert.deepEqual([others, await endOf(), await balanceOf()], [[], seen, 500])
})

test('a plan without an end cannot be renewed', async () => {
  await assert.rejects(renewNow(server.db, acme.id, ''), /nothing to renew/)
  await assert.rejects(setAutoRenew(server.db, acme.id, false), /nothing to renew/)
})

test('a changed plan applies from the next period on, not to the period that was paid', async () => {
  const { db } = server
  await startTeam(20_000)
  const team = { code: 'team', name: 'Team' }
  await putPlan(db, { ...team, price: 3900, monthly_ticket_limit: 7 })
  const limit = async () => (await findUsage(db, acme.id)).limit
  assert.equal(await limit(), 100)
  await renewNow(db, acme.id, await endOf())
  assert.deepEqual([await limit(), await balanceOf()], [100, 20_000 - 2900 - 3900])
  await passTime(db, acme, '32 days')
  assert.equal(await limit(), 7)
  await putPlan(db, { ...team, price: 2900, monthly_ticket_limit: 100 })
})

test('the admin sets a plan without payment, end date or event', async () => {
  await startTeam(2900)
  assert.deepEqual(await happened(() => setProjectPlan(server.db, acme.id, 'firm')), [])
  assert.deepEqual(await findPlanStatus(server.db, acme.id), { plan: 'firm', subscription: null })
})

test("a renewal does not affect another project's plan or balance", async () => {
  const { db, rival } = server
  await give(db, rival, 777)
  const before = await lastSeq(db, rival)
  await startTeam(10_000)
  await passTime(db, acme, '70 days')
  await runJob()
  assert.deepEqual(await findPlanStatus(db, rival.id), { plan: 'unlimited', subscription: null })
  assert.equal((await findAccount(db, rival.id))?.balance, 777)
  assert.deepEqual(await listEvents(db, rival, before), [])
})
