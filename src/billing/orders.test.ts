import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { give, putPlans } from '../../test/billing/price-list.ts'
import { callBack, eventOf, secretKey, webhookSecret } from '../../test/billing/stripe.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { choosePlan } from './choose-plan.ts'
import { describeDisputes, listBalances, listOrders } from './orders.ts'
import { failPayment, getPayment } from './payments.ts'

/** Payments as the host of the installation sees them, and the page to which payers return. */

/** The requests that the fake Stripe server received. */
const asked: URLSearchParams[] = []
const stripe = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  asked.push(new URLSearchParams(body))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ id: 'cs_1', object: 'checkout.session', url: 'https://pay.example/1' }))
})

let server: TestServer
let desk: Desk
before(async () => {
  await new Promise<void>(resolve => stripe.listen(0, '127.0.0.1', resolve))
  const stripeApiUrl = `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`
  const config = { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl }
  server = await startServer({ delivers: false, config })
  await putPlans(server.db)
  await server.db`update projects set plan = 'free' where id = ${server.acme.id}`
  desk = await openDesk(server)
})
after(async () => {
  await server.close()
  stripe.close()
})

const topUp = async (gateway: string): Promise<string> =>
  (await desk.owner.post('/billing/top-ups', { amount: '50', gateway })).body.order_id
const ordersOf = async (status?: Parameters<typeof listOrders>[1]) =>
  (await listOrders(server.db, status)).map(({ order_id }) => order_id)

test('returns from Stripe to the page where the payment was ordered', async () => {
  const order = await topUp('stripe')
  const page = `/p/${server.acme.id}/settings/billing`
  const sent = asked.at(-1)!
  assert.ok(sent.get('success_url')!.endsWith(`${page}?paid=${order}`), sent.get('success_url')!)
  assert.ok(sent.get('cancel_url')!.endsWith(`${page}?cancelled=${order}`))
})

test('orders are listed by status, and a disputed one is shown to host and owner', async () => {
  assert.equal(await describeDisputes(server.db), 'no payment is disputed')
  const [waiting, failed, disputed] = [await topUp('offline'), await topUp('offline'), await topUp('stripe')]
  await failPayment(server.db, await getPayment(server.db, failed!), 'cancelled')
  await callBack(server, eventOf('completed', { order_id: disputed!, amount_total: 4999 }))
  assert.ok((await ordersOf('waiting')).includes(waiting!))
  assert.deepEqual(await ordersOf('failed'), [failed])
  assert.deepEqual(await ordersOf('disputed'), [disputed])
  assert.deepEqual((await ordersOf()).slice(-3), [waiting, failed, disputed])
  const [order] = await listOrders(server.db, 'disputed')
  assert.partialDeepStrictEqual(order, { project_id: server.acme.id, amount: 50, currency: 'EUR' })
  await assert.rejects(describeDisputes(server.db), /1 disputed.*billing orders --status disputed/)
  const { payments } = (await desk.owner.get('/billing')).body
  const shown = payments.filter((one: { is_disputed: boolean }) => one.is_disputed)
  assert.deepEqual(
    shown.map((one: { order_id: string }) => one.order_id),
    [disputed],
  )
})

test('lists the balance of each project, and the end of its plan if it has one', async () => {
  await give(server.db, server.acme, 10_000)
  const { expires_at } = await choosePlan(server.db, server.acme.id, 'team')
  const holdings = await listBalances(server.db)
  assert.deepEqual(holdings.get(server.acme.id), { balance: 71, currency: 'EUR', ends_at: expires_at })
  assert.deepEqual(holdings.get(server.rival.id), { balance: null, currency: null, ends_at: null })
})

test('an owner sets the buyer of their project, and other projects are unaffected', async () => {
  const buyer = { name: 'Acme Ltd', address: '2 Low Street', tax_number: 'VAT 2' }
  assert.deepEqual((await desk.owner.put('/billing/buyer', buyer)).body.buyer, buyer)
  assert.deepEqual((await desk.owner.get('/billing')).body.buyer, buyer)
  const none = { name: '', address: '', tax_number: '' }
  assert.deepEqual((await desk.stranger.get('/billing')).body.buyer, none)
  assert.equal((await desk.admin.put('/billing/buyer', none)).status, 403)
})
