import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { give, putPlans } from '../../test/billing/price-list.ts'
import { assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { listLedger } from './billing.ts'

/** The terms as shown: at once, for 29 EUR. */
const team = { plan: 'team', at: null, amount: 29 }

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false, config: { billingSeller: 'Acme Hosting; Main Street 1' } })
  desk = await openDesk(server)
})
after(() => server.close())

test('billing answers FEATURE_OFF while no plan is sold, and is for owners only', async () => {
  assertEnvelope(await desk.owner.get('/billing'), 404, 'FEATURE_OFF')
  await server.db`insert into plans (code, name) values ('internal', 'Free, and not offered')`
  assertEnvelope(await desk.owner.get('/billing'), 404, 'FEATURE_OFF')
  assert.deepEqual((await desk.owner.get('/billing/offer')).body, { is_sold: false })
  await putPlans(server.db)
  assert.equal((await desk.owner.get('/billing')).status, 200)
  assert.deepEqual((await desk.owner.get('/billing/offer')).body, { is_sold: true })
  for (const answer of [
    await desk.admin.get('/billing'),
    await desk.admin.get('/billing/ledger'),
    await desk.admin.get('/billing/ledger.csv'),
    await desk.admin.get('/billing/receipts/1'),
    await desk.admin.post('/billing/plan', team),
    await desk.admin.patch('/billing', { auto_renew: false }),
    await desk.admin.post('/billing/renew', { expires_at: '', amount: 29 }),
    await desk.admin.post('/billing/top-ups', { amount: '10' }),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'owner' })
})

test('a top-up accepts an amount as people type it, and an invalid amount is an error of its field', async () => {
  const order = await desk.owner.post('/billing/top-ups', { amount: '29.50' })
  assert.equal(order.status, 201, order.text)
  assert.partialDeepStrictEqual(order.body, { amount: 29.5, currency: 'EUR', status: 'pending', url: null })
  assert.equal(order.body.transfer_to, null)
  const wrong = await desk.owner.post('/billing/top-ups', { amount: '1.999' })
  assertEnvelope(wrong, 422, 'VALIDATION_ERROR', { field: 'amount', reason: 'not_an_amount' })
  const unknown = await desk.owner.post('/billing/top-ups', { amount: '1', gateway: 'none' })
  assertEnvelope(unknown, 409, 'NOT_POSSIBLE')
})

test('a plan is chosen, paid from the balance and renewed once, and auto-renewal can be turned off', async () => {
  assertEnvelope(await desk.owner.post('/billing/plan', team), 409, 'NOT_POSSIBLE')
  await give(server.db, server.acme, 10_000)
  const bought = (await desk.owner.post('/billing/plan', team)).body
  assert.partialDeepStrictEqual(bought, { plan: 'team', plan_name: 'Team', balance: 71, auto_renew: true })
  const renew = () => desk.owner.post('/billing/renew', { expires_at: bought.expires_at, amount: 29 })
  const [first, second] = [await renew(), await renew()]
  assert.deepEqual([first.body.balance, second.body.balance], [42, 42])
  const switched = await desk.owner.patch('/billing', { auto_renew: false })
  assert.equal(switched.body.auto_renew, false)
  const { items } = (await desk.admin.get('/audit?action=billing')).body
  assert.deepEqual(items.map((one: { action: string }) => one.action).slice(0, 3), [
    'billing.auto_renew_changed',
    'billing.renewed',
    'billing.plan_chosen',
  ])
})

test('the ledger can be read and downloaded, each payment has a receipt, and Rival sees only its own', async () => {
  const { items, currency } = (await desk.owner.get('/billing/ledger')).body
  assert.deepEqual([currency, items.length], ['EUR', (await listLedger(server.db, server.acme.id)).length])
  const csv = await desk.owner.get('/billing/ledger.csv')
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(csv.text.split('\r\n').length, items.length + 1)
  const { seq } = items.find((one: { cause: string }) => one.cause === 'plan')
  const pdf = await desk.owner.get(`/billing/receipts/${seq}`)
  assert.ok(pdf.text.startsWith('%PDF'), pdf.text.slice(0, 100))
  for (const wrong of ['0', 'x', '9999'])
    assertEnvelope(await desk.owner.get(`/billing/receipts/${wrong}`), 409, 'NOT_POSSIBLE')
  assert.deepEqual((await desk.stranger.get('/billing/ledger')).body.items, [])
  assertEnvelope(await desk.stranger.get(`/billing/receipts/${seq}`), 409, 'NOT_POSSIBLE')
})
