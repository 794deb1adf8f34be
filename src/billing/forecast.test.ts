import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { give, putPlans } from '../../test/billing/price-list.ts'
import { assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { setProjectPlan } from './choose-plan.ts'
import { leaveSubscription } from './subscription.ts'

/** The terms shown before a payment are the terms that are charged. */

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  await putPlans(server.db)
  desk = await openDesk(server)
  await server.db`update projects set plan = 'free' where id = ${server.acme.id}`
})
after(() => server.close())

const read = async () => (await desk.owner.get('/billing')).body
const choiceOf = async (code: string) =>
  (await read()).offered.find((one: { code: string }) => one.code === code).choice
const choose = ({ plan, at, amount }: { plan: string; at: string | null; amount: number }) =>
  desk.owner.post('/billing/plan', { plan, at, amount })
/** Removes the current subscription without a trace. */
const startOver = () => leaveSubscription(server.db, server.acme.id, 'free')
const changed = { reason: 'terms_changed' }

test('shows how much money is missing for a plan, and does not offer the current plan', async () => {
  const { offered, next, renewal } = await read()
  assert.deepEqual([offered[0].code, offered[0].choice, next, renewal], ['free', null, null, null])
  assert.partialDeepStrictEqual(await choiceOf('team'), {
    ...{ plan_name: 'Team', at: null, amount: 29, balance_after: 0, shortfall: 29 },
  })
})

test('shows amount, balance and end date of a plan that is paid at once, and charges exactly that', async () => {
  await give(server.db, server.acme, 40_000)
  const choice = await choiceOf('team')
  assert.partialDeepStrictEqual(choice, { at: null, amount: 29, balance_after: 371, shortfall: null })
  const { body } = await choose(choice)
  assert.deepEqual([body.plan, body.balance], ['team', 371])
  // The period begins when it is paid, a moment after it was shown, and perhaps on the next day.
  const [row] = await server.db<{ latest: string }[]>`select now() + interval '1 month' as latest`
  assert.ok(choice.expires_at <= body.expires_at && body.expires_at <= row!.latest, body.expires_at)
  assert.equal(await choiceOf('team'), null)
})

test('shows the price and the new end date of a renewal, and charges exactly that', async () => {
  const { renewal, expires_at } = await read()
  assert.partialDeepStrictEqual(renewal, { plan: 'team', at: null, amount: 29, balance_after: 342 })
  const { body } = await desk.owner.post('/billing/renew', { expires_at, amount: renewal.amount })
  assert.deepEqual([body.balance, body.expires_at], [342, renewal.expires_at])
})

test('shows what happens at the end of the period (renewal, another plan or the entry plan), and why', async () => {
  const { expires_at, next } = await read()
  assert.partialDeepStrictEqual(next, {
    ...{ reason: 'renewal', plan: 'team', at: expires_at, amount: 29, balance_after: 313 },
  })
  const firm = await choiceOf('firm')
  assert.partialDeepStrictEqual(firm, { at: expires_at, amount: 290, balance_after: 52 })
  const chosen = (await choose(firm)).body
  assert.partialDeepStrictEqual(chosen.next, { reason: 'choice', plan: 'firm', expires_at: firm.expires_at })
  assert.equal(chosen.balance, 342, 'nothing is charged before the end of the period')
  assert.equal(await choiceOf('firm'), null)
  await give(server.db, server.acme, -10_000 + 1)
  assert.partialDeepStrictEqual((await read()).next, {
    ...{ reason: 'balance_low', plan: 'free', shortfall: 47.99, amount: 0, expires_at: null },
  })
  assert.equal((await choose(await choiceOf('team'))).body.next.reason, 'renewal')
  const off = (await desk.owner.patch('/billing', { auto_renew: false })).body
  assert.partialDeepStrictEqual(off.next, { reason: 'auto_renew_off', plan: 'free' })
})

test('a choice shown as starting at the end of the period is not paid at once if the period has ended in the meantime', async () => {
  await desk.owner.patch('/billing', { auto_renew: true })
  const shown = await choiceOf('firm')
  await startOver()
  await give(server.db, server.acme, 100_000)
  const { balance } = await read()
  assertEnvelope(await choose(shown), 409, 'NOT_POSSIBLE', changed)
  const now = await read()
  assert.deepEqual([now.plan, now.balance], ['free', balance])
})

test('a price that has risen since it was shown is not charged', async context => {
  const shown = await choiceOf('team')
  await choose(shown)
  const { expires_at, renewal, balance } = await read()
  await server.db`update plans set price = 9900 where code = 'team'`
  context.after(() => server.db`update plans set price = 2900 where code = 'team'`)
  const renewed = await desk.owner.post('/billing/renew', { expires_at, amount: renewal.amount })
  assertEnvelope(renewed, 409, 'NOT_POSSIBLE', changed)
  await startOver()
  assertEnvelope(await choose(shown), 409, 'NOT_POSSIBLE', changed)
  assert.equal((await read()).balance, balance)
})

test('shows which plan a trial becomes, and what happens at its end', async () => {
  await setProjectPlan(server.db, server.acme.id, 'trial')
  const { next, renewal, expires_at } = await read()
  assert.partialDeepStrictEqual(next, { reason: 'trial_end', plan: 'team', at: expires_at, amount: 29 })
  assert.partialDeepStrictEqual(renewal, { plan: 'team', at: null, amount: 29 })
  assert.ok(renewal.expires_at < next.expires_at)
})
