import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startPricedServer } from '../../test/billing/price-list.ts'
import { eventsOf, type Member } from '../../test/cast.ts'
import { correctBalance, creditBalance, refundPayment } from './adjust.ts'
import { createProjectOnPlan } from './choose-plan.ts'
import { type Gateway, GatewayRefused, GatewaySilent } from './gateways/gateway.ts'
import { createOffline } from './gateways/offline.ts'
import { findAccount, listLedgerEntries } from './ledger.ts'
import { failPayment, getPayment, type Payment, receivePayment } from './payments.ts'
import { currencyOf, topUp } from './top-up.ts'

const server = await startPricedServer()
after(() => server.close())

let acme: Member
const offline = createOffline('IBAN DE02 1203')

beforeEach(async () => {
  const { id, name } = await server.db.begin(tx => createProjectOnPlan(tx, { name: 'Acme', plan: 'free' }))
  acme = { id, name, key: server.acme.key }
})

const happened = async (act: () => Promise<unknown>) =>
  (await eventsOf({ ...server, acme }, act)).map(({ type, data }) => ({ type, ...data }))
const order = (amount = 5000) => topUp(server.db, offline, acme.id, { amount, currency: 'EUR', by: 'olga' })
const balanceOf = async () => (await findAccount(server.db, acme.id))?.balance
const receive = (payment: Payment, fields: object = {}) =>
  receivePayment(server.db, payment, { ...payment, transaction_id: 'bank-7', by: 'olga', ...fields })

test('an order contains payment instructions and credits nothing yet', async () => {
  const { order_id, instructions, status } = await order()
  assert.match(order_id, /^D-[2-9A-Z]{8}$/)
  assert.match(
    instructions!,
    /^Transfer 50\.00 EUR by \d{4}-\d\d-\d\d with the reference D-\w{8} to: IBAN DE02 1203$/,
  )
  assert.ok(instructions!.includes(order_id))
  assert.deepEqual([status, await balanceOf()], ['pending', 0])
})

test('a received payment is credited once and emits one event, however often it is reported', async () => {
  const payment = await order(5050)
  const events = await happened(() => Promise.all(Array.from({ length: 20 }, () => receive(payment))))
  assert.deepEqual(events, [
    {
      ...{ type: 'billing.payment_received', payment_id: payment.id, order_id: payment.order_id },
      ...{
        amount: 50.5,
        currency: 'EUR',
        method: 'bank_transfer',
        transaction_id: 'bank-7',
        new_balance: 50.5,
      },
    },
  ])
  const [entry, ...others] = await listLedgerEntries(server.db, acme.id)
  assert.deepEqual([entry!.cause, entry!.reference, others], ['top_up', payment.order_id, []])
})

test('a failed payment emits one event', async () => {
  const payment = await order()
  const events = await happened(async () => {
    assert.equal(await failPayment(server.db, payment, 'cancelled'), true)
    assert.equal(await failPayment(server.db, payment, 'cancelled'), false)
  })
  const failed = { payment_id: payment.id, order_id: payment.order_id, amount: 50 }
  assert.deepEqual(events, [
    { type: 'billing.payment_failed', ...failed, method: 'bank_transfer', reason: 'cancelled' },
  ])
})

test('a failure reported after the payment has arrived is ignored', async () => {
  const payment = await order()
  await receive(payment)
  assert.deepEqual(await happened(() => failPayment(server.db, payment, 'late')), [])
  assert.deepEqual(
    [(await getPayment(server.db, payment.order_id)).status, await balanceOf()],
    ['received', 5000],
  )
})

test('a payment that arrives after a failure is credited', async () => {
  const payment = await order()
  await failPayment(server.db, payment, 'expired')
  const [event] = await happened(() => receive(payment))
  assert.deepEqual([event!.type, await balanceOf()], ['billing.payment_received', 5000])
})

test('a payment with another amount or currency than ordered is disputed, and not credited', async () => {
  const payment = await order()
  const wrong: [object, RegExp][] = [
    [{ amount: 4999 }, /49\.99 EUR came for an order of 50\.00 EUR/],
    [{ currency: 'USD' }, /50\.00 USD came for an order of 50\.00 EUR/],
  ]
  const events = await happened(async () => {
    for (const [fields, expected] of wrong) await assert.rejects(receive(payment, fields), expected)
  })
  const { status, reason } = await getPayment(server.db, payment.order_id)
  assert.deepEqual([events, status, await balanceOf()], [[], 'pending', 0])
  assert.match(reason!, /^disputed: 50\.00 USD came/)
  await receive(payment)
  assert.equal((await getPayment(server.db, payment.order_id)).reason, null)
})

test('a top-up uses the currency of the account, else the one that all plans share', async () => {
  assert.equal(await currencyOf(server.db, acme.id), 'EUR')
  await topUp(server.db, offline, acme.id, { amount: 100, currency: 'USD', by: 'olga' })
  assert.equal(await currencyOf(server.db, acme.id), 'USD')
  await assert.rejects(order(), /is in USD, not EUR/)
})

const adjustment = { currency: 'EUR', note: 'because', by: 'olga' }

test('a credit and a correction are new entries with a reason and an author', async () => {
  await creditBalance(server.db, acme.id, { ...adjustment, amount: 1000 })
  await correctBalance(server.db, acme.id, { ...adjustment, amount: -2500 })
  const entries = await listLedgerEntries(server.db, acme.id)
  assert.deepEqual(
    entries.map(({ cause, amount, balance_after, note, by }) => [cause, amount, balance_after, note, by]),
    [
      ['correction', -2500, -1500, 'because', 'olga'],
      ['credit', 1000, 1000, 'because', 'olga'],
    ],
  )
})

test('a credit with a key is given once', async () => {
  const credit = () => creditBalance(server.db, acme.id, { ...adjustment, amount: 1000, key: 'gift' })
  await credit()
  await assert.rejects(credit(), /already used/)
  assert.equal(await balanceOf(), 1000)
})

async function paid(): Promise<Payment> {
  const payment = await order()
  await receive(payment)
  return payment
}

const refund = (payment: Payment, gateway: Gateway = offline, amount?: number) =>
  refundPayment(server.db, gateway, payment.order_id, { by: 'olga', ...(amount && { amount }) })

test("a refund takes the order's amount from the balance, once", async () => {
  const payment = await paid()
  await refund(payment, offline, 2000)
  await assert.rejects(refund(payment), /already refunded/)
  assert.equal(await balanceOf(), 3000)
})

test('a refund cannot exceed the order or the balance, and needs a received payment', async () => {
  const payment = await paid()
  await assert.rejects(refund(payment, offline, 5001), /cannot be more than/)
  await correctBalance(server.db, acme.id, { ...adjustment, amount: -1 })
  await assert.rejects(refund(payment), /49\.99 EUR does not cover 50\.00 EUR/)
  await assert.rejects(refund(await order()), /is pending/)
  await assert.rejects(refundPayment(server.db, offline, 'D-NOTHING', { by: 'olga' }), /does not exist/)
  assert.equal(await balanceOf(), 4999)
})

const failing = (error: Error): Gateway => ({ ...offline, refund: () => Promise.reject(error) })

test('a refund that the gateway refuses is returned to the balance, and can be retried', async () => {
  const payment = await paid()
  await assert.rejects(refund(payment, failing(new GatewayRefused('no'))), /no/)
  assert.equal(await balanceOf(), 5000)
  await refund(payment)
  assert.equal(await balanceOf(), 0)
})

test('a refund without a response stays booked, and a retry sends the same key', async () => {
  const payment = await paid()
  await assert.rejects(refund(payment, failing(new GatewaySilent('silence'))), /silence/)
  assert.equal(await balanceOf(), 0)
  await assert.rejects(refund(payment, offline, 100), /is in progress; repeat the command with that amount/)
  const keys: string[] = []
  await refund(payment, { ...offline, refund: async (_, __, key) => void keys.push(key) })
  assert.deepEqual([keys, await balanceOf()], [[`refund:${payment.id}:0`], 0])
})
