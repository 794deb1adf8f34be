import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { putPlans } from '../../test/billing/price-list.ts'
import { assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false, config: { billingSeller: 'Acme Hosting; Main Street 1' } })
  desk = await openDesk(server)
  await putPlans(server.db)
})
after(() => server.close())

const order = () => desk.owner.post('/billing/top-ups', { amount: '10' })

test('refuses an order while ten orders of the project wait for payment, also with concurrent orders', async () => {
  const answers = await Promise.all(Array.from({ length: 14 }, order))
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  assertEnvelope(await order(), 409, 'NOT_POSSIBLE')
})

test('accepts an order again after a waiting one has ended', async () => {
  await server.db`
    update payments set status = 'failed' where project_id = ${server.acme.id} and id in (
      select id from payments where project_id = ${server.acme.id} and status = 'pending' limit 1)`
  assert.equal((await order()).status, 201)
  assertEnvelope(await order(), 409, 'NOT_POSSIBLE')
})
