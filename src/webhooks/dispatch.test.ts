import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { addHook, delivery, emit, type Hook } from '../../test/webhooks.ts'
import { sampleData } from '../events/samples.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { startDelivering } from './worker.ts'

let server: TestServer
before(async () => {
  // A request to a hanging target stays in progress.
  server = await startServer({ config: { webhookTimeout: 40_000 } })
})
after(() => server.close())

const closed = { type: 'ticket.closed', data: sampleData('ticket.closed') } as never

/** How many deliveries of the webhook have a lease, as an open transaction sees them. */
const countLeases = async (tx: Tx, hook: Hook): Promise<number> =>
  (await tx`select from webhook_queue where webhook_id = ${hook.id} and lease_until > now()`).length

/** Waits until every delivery of the webhook has ended. */
const idle = (hook: Hook) =>
  until(async () => !(await server.db`select from webhook_queue where webhook_id = ${hook.id}`).length)

/** Sends deliveries until the process knows the target and has nothing left to claim. */
async function getKnown(hook: Hook): Promise<void> {
  await until(async () => {
    await emit(server)
    await idle(hook)
    return (await emitAndCount(hook)) === 1
  })
  await idle(hook)
}

/** Emits an event, and returns how many of its deliveries were inserted with a lease. */
const emitAndCount = (hook: Hook, count = 1): Promise<number> =>
  transact(server.db, server.acme.id, async tx => {
    tx.emit(...Array.from({ length: count }, () => closed))
    await tx.writeLog()
    return countLeases(tx, hook)
  })

test('a delivery to a known target is inserted with a lease, and sent once', async t => {
  const hook = await addHook(t, server)
  await getKnown(hook)
  const before = hook.receiver.requests.length
  assert.equal(await emitAndCount(hook), 1)
  await hook.receiver.waitFor(before + 1)
  await idle(hook)
  assert.equal(hook.receiver.requests.length, before + 1)
})

test('a statement that posts a message sends its deliveries without a claim too', async t => {
  const hook = await addHook(t, server, 200, { events: ['message.created', 'ticket.closed'] })
  await getKnown(hook)
  const { body: ticket } = await server.api.post('/tickets', { contact: { email: 'a@x.test' } })
  await server.api.post(`/tickets/${ticket.id}/messages`, { content: 'Hello' })
  const { headers } = await hook.receiver.next(one => one.headers['x-webhook-event'] === 'message.created')
  assert.equal(headers['x-webhook-attempt'], '1')
  await delivery(server, hook, one => one.event_type === 'message.created' && one.status === 'succeeded')
})

test('a transaction that is rolled back sends nothing, and frees its slots', async t => {
  const hook = await addHook(t, server)
  await getKnown(hook)
  const before = hook.receiver.requests.length
  for (let turn = 0; turn < 20; turn++) {
    const failing = transact(server.db, server.acme.id, async tx => {
      tx.emit(closed)
      await tx.writeLog()
      throw new Error('rolled back')
    })
    await assert.rejects(failing, { message: 'rolled back' })
  }
  assert.equal(await emitAndCount(hook), 1)
  await hook.receiver.waitFor(before + 1)
  assert.equal(hook.receiver.requests.length, before + 1)
})

test('at most eight deliveries of a transaction to one target are inserted with a lease; all are sent', async t => {
  const hook = await addHook(t, server)
  await getKnown(hook)
  const before = hook.receiver.requests.length
  assert.equal(await emitAndCount(hook, 30), 8)
  await hook.receiver.waitFor(before + 30)
})

test('at most eight requests to a known target that begins to hang are in progress', async t => {
  let hangs = false
  const hook = await addHook(t, server, () => (hangs ? { fault: 'hang' } : 200))
  await getKnown(hook)
  hangs = true
  const before = hook.receiver.requests.length
  await Promise.all(Array.from({ length: 40 }, () => emit(server)))
  await hook.receiver.waitFor(before + 8)
  const other = await addHook(t, server)
  await emit(server)
  await other.receiver.next()
  assert.equal(hook.receiver.requests.length, before + 8)
})

test('nothing is sent without a claim if the transaction took long, because its subscription may be disabled since', async t => {
  const hook = await addHook(t, server)
  await getKnown(hook)
  const before = hook.receiver.requests.length
  await transact(server.db, server.acme.id, async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    tx.emit(closed)
    await tx.writeLog()
    assert.equal(await countLeases(tx, hook), 1)
    await server.api.patch(hook.path, { is_active: false })
    await tx`select pg_sleep(0.6)`
  })
  await delivery(server, hook, one => one.status === 'cancelled')
  assert.equal(hook.receiver.requests.length, before)
})

test('after its worker has stopped, a process inserts deliveries without a lease', async t => {
  const own = await startServer({ delivers: false })
  const delivering = startDelivering(own)
  await addHook(t, own)
  t.after(() => own.close())
  await delivering.stop()
  await emit(own)
  assert.equal((await own.db`select from webhook_queue where claim_id is null`).length, 1)
})
