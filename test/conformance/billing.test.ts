import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { choosePlan, setAutoRenew, setProjectPlan } from '../../src/billing/choose-plan.ts'
import { createOffline } from '../../src/billing/gateways/offline.ts'
import { failPayment, type Payment, receivePayment } from '../../src/billing/payments.ts'
import { renewDue, renewNow } from '../../src/billing/renew.ts'
import { findPlanStatus } from '../../src/billing/subscription.ts'
import { topUp } from '../../src/billing/top-up.ts'
import { passTime, putPlans } from '../billing/price-list.ts'
import { startServer, type TestServer } from '../server.ts'
import { addHook, type Hook } from '../webhooks.ts'

/** Spec 6.5: every billing event as a webhook receives it after its real cause, field by field. */

let server: TestServer
before(async () => {
  server = await startServer()
  await putPlans(server.db)
})
after(() => server.close())

beforeEach(async () => {
  await setProjectPlan(server.db, server.acme.id, 'free')
  await emptyBalance()
})

async function emptyBalance(): Promise<void> {
  await server.db`
    insert into balance_entries (project_id, amount, cause, idempotency_key)
    select project_id, -balance_after, 'correction', gen_random_uuid()::text from (
      select * from balance_entries where project_id = ${server.acme.id} order by seq desc limit 1) last
    where balance_after <> 0`
}

/** The data of the next event of this type that the webhook receives. */
async function receive(hook: Hook, type: string): Promise<Record<string, unknown>> {
  const { body } = await hook.receiver.next(({ headers }) => headers['x-webhook-event'] === type)
  const envelope = JSON.parse(String(body))
  assert.equal(envelope.type, type)
  return envelope.data
}

const order = (amount: number): Promise<Payment> =>
  topUp(server.db, createOffline(''), server.acme.id, { amount, currency: 'EUR', by: 'test' })

async function pay(amount: number): Promise<Payment> {
  const payment = await order(amount)
  await receivePayment(server.db, payment, { ...payment, transaction_id: 'txn-1', by: 'test' })
  return payment
}

const standing = () => findPlanStatus(server.db, server.acme.id)
const endOf = async (): Promise<string> => (await standing()).subscription!.expires_at
const withoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/

async function endPeriod(days = 32): Promise<string> {
  await passTime(server.db, server.acme, `${days} days`)
  const ended = await endOf()
  await renewDue(server.db, server.acme.id)
  return ended
}

test('billing.payment_received: a top-up is credited to the project balance', async context => {
  const hook = await addHook(context, server)
  const { id, order_id } = await pay(5050)
  assert.deepEqual(await receive(hook, 'billing.payment_received'), {
    ...{ payment_id: id, order_id, amount: 50.5, currency: 'EUR', method: 'bank_transfer' },
    ...{ transaction_id: 'txn-1', new_balance: 50.5 },
  })
})

test('billing.payment_failed: the payment gateway reports the payment cancelled', async context => {
  const hook = await addHook(context, server)
  const payment = await order(5000)
  await failPayment(server.db, payment, 'cancelled')
  assert.deepEqual(await receive(hook, 'billing.payment_failed'), {
    ...{ payment_id: payment.id, order_id: payment.order_id, amount: 50 },
    ...{ method: 'bank_transfer', reason: 'cancelled' },
  })
})

test('billing.plan_renewed: plan renewed from the balance, auto and manual', async context => {
  const hook = await addHook(context, server)
  await pay(2900 * 3)
  await choosePlan(server.db, server.acme.id, 'team')
  await endPeriod()
  const renewed = { plan: 'team', amount: 29, new_balance: 29, expires_at: await endOf(), trigger: 'auto' }
  assert.match(renewed.expires_at, withoutOffset)
  assert.deepEqual(await receive(hook, 'billing.plan_renewed'), renewed)
  await renewNow(server.db, server.acme.id, await endOf())
  const again = { ...renewed, new_balance: 0, expires_at: await endOf(), trigger: 'manual' }
  assert.deepEqual(await receive(hook, 'billing.plan_renewed'), again)
})

test('billing.plan_changed: the plan ended and switched to the paid plan chosen as next', async context => {
  await pay(2900 + 29_000)
  await choosePlan(server.db, server.acme.id, 'team')
  const hook = await addHook(context, server)
  await choosePlan(server.db, server.acme.id, 'firm')
  await endPeriod()
  assert.deepEqual(await receive(hook, 'billing.plan_changed'), {
    ...{ old_plan: 'team', new_plan: 'firm', expires_at: await endOf(), amount: 290, new_balance: 0 },
  })
})

test('billing.plan_changed: a trial became a paid plan, with the reason', async context => {
  const hook = await addHook(context, server)
  await pay(3000)
  await setProjectPlan(server.db, server.acme.id, 'trial')
  await endPeriod(14)
  assert.deepEqual(await receive(hook, 'billing.plan_changed'), {
    ...{ old_plan: 'trial', new_plan: 'team', expires_at: await endOf() },
    ...{ amount: 29, new_balance: 1, reason: 'trial_ended' },
  })
})

test('billing.balance_low, subscription_expired and plan_downgraded: balance too low', async context => {
  const hook = await addHook(context, server)
  await pay(2900 + 1250)
  await choosePlan(server.db, server.acme.id, 'team')
  const expired_at = await endPeriod()
  assert.deepEqual(await receive(hook, 'billing.balance_low'), {
    ...{ plan: 'team', balance: 12.5, price: 29, shortfall: 16.5 },
  })
  assert.deepEqual(await receive(hook, 'billing.subscription_expired'), {
    ...{ old_plan: 'team', reason: 'insufficient_balance', expired_at },
  })
  assert.match(expired_at, withoutOffset)
  assert.deepEqual(await receive(hook, 'billing.plan_downgraded'), {
    ...{ old_plan: 'team', new_plan: 'free', expires_at: null },
  })
})

test('billing.balance_low: with its trigger for a manual renewal', async context => {
  const hook = await addHook(context, server)
  await pay(2900)
  await choosePlan(server.db, server.acme.id, 'team')
  await renewNow(server.db, server.acme.id, await endOf())
  assert.deepEqual(await receive(hook, 'billing.balance_low'), {
    ...{ plan: 'team', balance: 0, price: 29, shortfall: 29, trigger: 'manual' },
  })
})

test('billing.subscription_expired and plan_downgraded: auto-renew off with no next plan', async context => {
  const hook = await addHook(context, server)
  await pay(2900 * 2)
  await choosePlan(server.db, server.acme.id, 'team')
  await setAutoRenew(server.db, server.acme.id, false)
  const expired_at = await endPeriod()
  assert.deepEqual(await receive(hook, 'billing.subscription_expired'), {
    ...{ old_plan: 'team', reason: 'auto_renew_disabled', expired_at },
  })
  assert.equal((await receive(hook, 'billing.plan_downgraded')).new_plan, 'free')
})

test('billing.plan_downgraded: a trial ended unpaid, with the reason', async context => {
  const hook = await addHook(context, server)
  await setProjectPlan(server.db, server.acme.id, 'trial')
  await endPeriod(14)
  assert.deepEqual(await receive(hook, 'billing.plan_downgraded'), {
    ...{ old_plan: 'trial', new_plan: 'free', expires_at: null, reason: 'trial_unpaid' },
  })
})
