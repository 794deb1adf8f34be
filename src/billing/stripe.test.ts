import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { callBack, eventOf, secretKey, sign, startMock, webhookSecret } from '../../test/billing/stripe.ts'
import { eventsOf, type Member } from '../../test/cast.ts'
import { needs } from '../../test/needs.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { createLimiter } from '../limits/limiter.ts'
import { createMemory } from '../limits/memory.ts'
import { refundPayment } from './adjust.ts'
import { createProjectOnPlan } from './choose-plan.ts'
import { GatewayRefused, GatewaySilent, getGateway } from './gateways/gateway.ts'
import { createGateways } from './gateways/gateways.ts'
import { findAccount } from './ledger.ts'
import { orderPayment } from './order-payment.ts'
import { getPayment, type Payment } from './payments.ts'
import { topUp } from './top-up.ts'

let server: TestServer
let acme: Member
const stripe = { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret }
before(async () => {
  server = await startServer({ delivers: false, config: stripe })
})
after(() => server.close())

beforeEach(async () => {
  const { id, name } = await server.db.begin(tx => createProjectOnPlan(tx, { name: 'Acme' }))
  acme = { id, name, key: server.acme.key }
})

const order = (amount = 5000, currency = 'EUR'): Promise<Payment> =>
  orderPayment(server.db, acme.id, { gateway: 'stripe', method: 'stripe', amount, currency })
const happened = async (act: () => Promise<unknown>) =>
  (await eventsOf({ ...server, acme }, act)).map(({ type, data }) => ({ type, ...data }))
const balanceOf = async () => (await findAccount(server.db, acme.id))?.balance
const paid = ({ order_id }: Payment, fields: object = {}) =>
  eventOf('completed', { order_id, amount_total: 5000, ...fields })

test('a completed session is credited once, even if Stripe repeats its callback', async () => {
  const payment = await order()
  const events = await happened(async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => callBack(server, paid(payment))))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(answers.filter(({ body }) => body.booked).length, 1)
  })
  const { id, order_id } = payment
  assert.deepEqual(events, [
    {
      ...{ type: 'billing.payment_received', payment_id: id, order_id, amount: 50, currency: 'EUR' },
      ...{ method: 'card', transaction_id: `pi_${order_id}`, new_balance: 50 },
    },
  ])
})

test('a bank debit is credited when the payment arrives, not when the session completes', async () => {
  const payment = await order()
  const unpaid = paid(payment, { payment_status: 'unpaid' })
  assert.deepEqual(await happened(() => callBack(server, unpaid)), [])
  const succeeded = eventOf('async_payment_succeeded', { order_id: payment.order_id, amount_total: 5000 })
  const [event] = await happened(() => callBack(server, succeeded))
  assert.equal(event!.type, 'billing.payment_received')
})

test('a failed or expired payment emits one event', async () => {
  for (const [type, reason] of [
    ['async_payment_failed', 'payment_failed'],
    ['expired', 'expired'],
  ] as const) {
    const { id, order_id } = await order()
    const report = eventOf(type, { order_id, amount_total: 5000, payment_status: 'unpaid' })
    const events = await happened(async () => {
      await callBack(server, report)
      await callBack(server, report)
    })
    const failed = { payment_id: id, order_id, amount: 50, method: 'stripe', reason }
    assert.deepEqual(events, [{ type: 'billing.payment_failed', ...failed }])
  }
  assert.equal(await balanceOf(), 0)
})

test('a received payment is credited whatever the order of the callbacks', async () => {
  const first = await order()
  const late = { order_id: first.order_id, amount_total: 5000, payment_status: 'unpaid' as const }
  await callBack(server, paid(first))
  await callBack(server, eventOf('expired', late))
  await callBack(server, paid(first, { payment_status: 'unpaid' }))
  assert.equal(await balanceOf(), 5000)
  const second = await order()
  await callBack(server, eventOf('expired', { ...late, order_id: second.order_id }))
  await callBack(server, paid(second))
  assert.equal(await balanceOf(), 10_000)
})

test('a forged, expired, malformed or missing signature is refused, and nothing is credited', async () => {
  const payment = await order()
  const event = paid(payment)
  const other = sign(JSON.stringify(paid(payment, { amount_total: 1 }), null, 2))
  const wrong: Parameters<typeof callBack>[2][] = [
    { secret: 'whsec_guessed' },
    { age: 301 },
    { signature: '' },
    { signature: 'nonsense' },
    { signature: other },
  ]
  const events = await happened(async () => {
    for (const signing of wrong) {
      const { status, body } = await callBack(server, event, signing)
      assert.equal(status, 400, JSON.stringify(signing))
      assert.ok(String(body.detail).length > 20)
    }
  })
  assert.deepEqual([events, await balanceOf()], [[], 0])
})

test('forged callbacks are rate-limited by address, and 20 genuine ones a second are accepted', async context => {
  const proxied = await startServer({
    delivers: false,
    config: { ...stripe, trustProxy: ['127.0.0.0/8'] },
    // A busy machine may need more than the minute after which the budgets are full again.
    limiter: createLimiter(createMemory(() => 0)),
  })
  context.after(() => proxied.close())
  const event = { ...paid(await order()), type: 'customer.created' }
  const statusesOf = async (count: number, signing: Parameters<typeof callBack>[2]) => {
    const statuses: number[] = []
    while (statuses.length < count) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => callBack(proxied, event, signing)))
      statuses.push(...answers.map(({ status }) => status))
    }
    return statuses
  }
  const forged = { signature: 'forged', address: '192.0.2.1' }
  const refused = [...Array(1_500).fill(400), ...Array(50).fill(429)]
  assert.deepEqual((await statusesOf(1_550, forged)).sort(), refused)
  const { body } = await callBack(proxied, event, forged)
  assert.equal(body.error_code, 'RATE_LIMIT_EXCEEDED')
  const aMinute = 20 * 60
  const signature = sign(JSON.stringify(event, null, 2))
  const taken = await statusesOf(aMinute, { signature, address: '192.0.2.2' })
  assert.deepEqual(taken, Array(aMinute).fill(200))
})

test('a payment with another amount or currency than ordered is refused and disputed, and nothing is credited', async () => {
  const payment = await order()
  for (const fields of [{ amount_total: 4999 }, { currency: 'usd' }, { amount_total: 500_000 }]) {
    const { status, body } = await callBack(server, paid(payment, fields))
    assert.equal(status, 422)
    assert.match(String(body.detail), /came for an order of 50\.00 EUR; nothing is booked/)
  }
  const { status, reason } = await getPayment(server.db, payment.order_id)
  assert.deepEqual([status, await balanceOf()], ['pending', 0])
  assert.match(reason!, /^disputed: 5000\.00 EUR/)
})

test("an unknown order is refused, and payments that are not Deskbell's are ignored", async () => {
  const unknown = eventOf('completed', { order_id: 'D-UNKNOWN2', amount_total: 5000 })
  assert.equal((await callBack(server, unknown)).status, 404)
  const offline = await orderPayment(server.db, acme.id, {
    ...{ gateway: 'offline', method: 'bank_transfer', amount: 5000, currency: 'EUR' },
  })
  assert.equal((await callBack(server, paid(offline))).status, 404)
  const { status, body } = await callBack(server, paid(await order(), { metadata: {} }))
  assert.deepEqual([status, body], [200, { received: true, booked: false }])
  const customer = { ...paid(await order()), type: 'customer.created' }
  assert.equal((await callBack(server, customer)).status, 200)
  assert.equal(await balanceOf(), 0)
})

test('currencies without decimals use whole units, as Stripe does', async () => {
  const payment = await order(50_000, 'JPY')
  const { status } = await callBack(server, paid(payment, { amount_total: 500, currency: 'jpy' }))
  assert.deepEqual([status, await balanceOf()], [200, 50_000])
})

test("without Stripe's settings, only bank transfer is offered and callbacks get a 404", async context => {
  assert.deepEqual([...createGateways({ ...server.config, ...none }).keys()], ['offline'])
  assert.deepEqual([...createGateways(server.config).keys()], ['offline', 'stripe'])
  const plain = await startServer({ delivers: false })
  context.after(() => plain.close())
  assert.equal((await callBack(plain, paid(await order()))).status, 404)
})

const none = { stripeSecretKey: null, stripeWebhookSecret: null }

test("setting only one of Stripe's two settings is refused with an explanation", () => {
  const half = (fields: object) => () => createGateways({ ...server.config, ...none, ...fields })
  assert.throws(half({ stripeSecretKey: 'sk' }), /STRIPE_WEBHOOK_SECRET: set it too/)
  assert.throws(half({ stripeWebhookSecret: 'whsec' }), /STRIPE_SECRET_KEY: set it too/)
})

test(
  "with Stripe's library, a top-up has a payment page and a refund is accepted",
  needs('stripe-mock'),
  async context => {
    const config = { ...server.config, stripeApiUrl: await startMock(context) }
    const gateway = getGateway(createGateways(config), 'stripe')
    const money = { amount: 5000, currency: 'EUR', by: 'test' }
    const started = await topUp(server.db, gateway, acme.id, money)
    assert.match(started.url ?? '', /^https?:/)
    const payment = await getPayment(server.db, started.order_id)
    assert.match(payment.external_id!, /^cs_/)
    await callBack(server, paid(payment))
    await refundPayment(server.db, gateway, payment.order_id, { amount: 2000, by: 'test' })
    assert.equal(await balanceOf(), 3000)
  },
)

test('a request that Stripe refuses fails with GatewayRefused', needs('stripe-mock'), async context => {
  const config = { ...server.config, stripeSecretKey: 'wrong', stripeApiUrl: await startMock(context) }
  const gateway = getGateway(createGateways(config), 'stripe')
  const attempt = topUp(server.db, gateway, acme.id, { amount: 5000, currency: 'EUR', by: 'test' })
  await assert.rejects(attempt, GatewayRefused)
})

test('if Stripe does not respond, the order stays open, because it may still be paid', async () => {
  const config = { ...server.config, stripeApiUrl: 'http://127.0.0.1:9' }
  const gateway = getGateway(createGateways(config), 'stripe')
  const attempt = topUp(server.db, gateway, acme.id, { amount: 5000, currency: 'EUR', by: 'test' })
  await assert.rejects(attempt, GatewaySilent)
  const [row] = await server.db`select order_id from payments where project_id = ${acme.id}`
  await callBack(server, paid(await getPayment(server.db, row!.order_id)))
  assert.equal(await balanceOf(), 5000)
})
