import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { eventTypes } from '../../src/events/catalogue.ts'
import { startServer, type TestServer } from '../server.ts'
import { until } from '../until.ts'
import { addHook, delivery, emit, exhaust, fail, makeDue, readHook } from '../webhooks.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.close())

const seconds = (later: string, earlier: string) =>
  (Date.parse(`${later}Z`) - Date.parse(`${earlier}Z`)) / 1000

test('spec 2.3: X-Webhook-Id is the id of the delivery', async t => {
  const hook = await addHook(t, server)
  await emit(server)
  const { headers } = await hook.receiver.next()
  assert.ok(await delivery(server, hook, one => one.id === headers['x-webhook-id']))
})

test('spec 2.3, spec 8 webhook attempts: a delivery fails after 6 failed attempts', async t => {
  const hook = await addHook(t, server, [500, 500, 500, 500, 500, 500, 200])
  await emit(server)
  const requests = await exhaust(server, hook)
  assert.deepEqual(
    requests.map(({ headers }) => headers['x-webhook-attempt']),
    ['1', '2', '3', '4', '5', '6'],
  )
  assert.equal((await delivery(server, hook, one => one.attempts === 6)).status, 'failed')
})

test('spec 2.3: deleting a subscription deletes its deliveries', async t => {
  const hook = await addHook(t, server)
  await emit(server)
  await delivery(server, hook, one => one.status === 'succeeded')
  await server.api.delete(hook.path)
  await until(async () => {
    const [row] = await server.db`select count(*) from webhook_deliveries where webhook_id = ${hook.id}`
    return row!.count === 0
  })
})

test('spec 3.1, spec 8 webhook switch-off: the 5th failed delivery in a row disables the subscription, and nothing more is sent', async t => {
  const hook = await addHook(t, server, 500)
  for (let failed = 1; failed <= 4; failed++) {
    await fail(server, hook)
    const { is_active, consecutive_failures } = await readHook(server, hook)
    assert.deepEqual([is_active, consecutive_failures], [true, failed])
  }
  await fail(server, hook)
  const off = await readHook(server, hook)
  assert.deepEqual([off.is_active, off.consecutive_failures], [false, 5])
  await emit(server)
  assert.equal(hook.receiver.requests.length, 30)
})

test('spec 3.1: a successful delivery sets consecutive_failures to 0', async t => {
  const hook = await addHook(t, server, 500)
  await fail(server, hook)
  hook.receiver.answer(200)
  await emit(server)
  await delivery(server, hook, one => one.status === 'succeeded')
  assert.equal((await readHook(server, hook)).consecutive_failures, 0)
})

test('spec 3.1: PATCH is_active: true enables the subscription and sets consecutive_failures to 0', async t => {
  const hook = await addHook(t, server, 500)
  await fail(server, hook)
  await server.api.patch(hook.path, { is_active: false })
  assert.equal((await readHook(server, hook)).consecutive_failures, 1)
  const { body } = await server.api.patch(hook.path, { is_active: true })
  assert.deepEqual([body.is_active, body.consecutive_failures], [true, 0])
  hook.receiver.answer(200)
  await emit(server)
  await delivery(server, hook, one => one.status === 'succeeded')
})

test('spec 3.1: PATCH is_active: true on an active subscription resets the counter too', async t => {
  const hook = await addHook(t, server, 500)
  await fail(server, hook)
  assert.equal((await server.api.patch(hook.path, { is_active: true })).body.consecutive_failures, 0)
})

test('spec 3.1: a scheduled retry is not sent after DELETE', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.api.delete(hook.path)
  const [row] = await server.db`select count(*) from webhook_queue where webhook_id = ${hook.id}`
  assert.equal(row!.count, 0)
  assert.equal(hook.receiver.requests.length, 1)
})

for (const status of [200, 201, 202, 204, 299]) {
  test(`spec 3.2: a ${status} response makes the delivery succeed`, async t => {
    const hook = await addHook(t, server, status)
    await emit(server)
    const done = await delivery(server, hook, one => one.status === 'succeeded')
    assert.deepEqual([done.attempts, done.last_status_code, done.last_error], [1, status, null])
  })
}

for (const [name, answer, code, error] of [
  ['302, which is not followed,', { status: 302, headers: { location: '/elsewhere' } }, 302, 'redirect'],
  ['404', 404, 404, 'status'],
  ['500', 500, 500, 'status'],
  ['closed connection', { fault: 'close' }, null, 'reset'],
] as const) {
  test(`spec 3.2: a ${name} schedules a retry`, async t => {
    const hook = await addHook(t, server, answer)
    await emit(server)
    const waiting = await delivery(server, hook, one => one.attempts === 1)
    assert.deepEqual([waiting.status, waiting.last_status_code, waiting.last_error], ['pending', code, error])
    assert.equal(hook.receiver.requests.length, 1)
  })
}

test('spec 3.2: a network error schedules a retry', async t => {
  const hook = await addHook(t, server)
  await hook.receiver.close()
  await emit(server)
  const waiting = await delivery(server, hook, one => one.attempts === 1)
  assert.deepEqual([waiting.status, waiting.last_error], ['pending', 'connect'])
})

test('spec 3.2, spec 8 webhook timeout: a response after 8 s succeeds, and one missing after 10 s times out', async t => {
  const slow = await addHook(t, server, { status: 200, delay: 8_000 })
  const hanging = await addHook(t, server, { fault: 'hang' })
  await emit(server)
  assert.equal((await delivery(server, slow, one => one.attempts === 1)).status, 'succeeded')
  const { status, last_error, attempts_log } = await delivery(server, hanging, one => one.attempts === 1)
  assert.deepEqual([status, last_error], ['pending', 'timeout'])
  const { latency_ms } = attempts_log[0]
  // The upper bound leaves a busy machine some room.
  assert.ok(latency_ms >= 9_990 && latency_ms < 20_000, `${latency_ms} ms`)
})

test('spec 6.1: a delivery is a POST with exactly these headers', async t => {
  const hook = await addHook(t, server)
  await emit(server, 'ticket.rated')
  const { method, headers, body } = await hook.receiver.next()
  assert.equal(method, 'POST')
  assert.equal(headers['content-type'], 'application/json')
  assert.match(headers['x-webhook-signature']!, /^sha256=[0-9a-f]{64}$/)
  assert.equal(headers['x-webhook-event'], 'ticket.rated')
  assert.match(headers['x-webhook-id']!, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(headers['x-webhook-attempt'], '1')
  assert.equal(headers['x-webhook-signature-previous'], undefined)
  assert.equal(Number(headers['content-length']), body.length)
})

test('spec 6.1: X-Webhook-Id differs for each subscription', async t => {
  const hooks = [await addHook(t, server), await addHook(t, server)]
  await emit(server)
  const requests = await Promise.all(hooks.map(hook => hook.receiver.next()))
  assert.notEqual(requests[0]!.headers['x-webhook-id'], requests[1]!.headers['x-webhook-id'])
  assert.deepEqual(requests[0]!.body, requests[1]!.body)
})

test('spec 6.1, spec 6.2: id, body and event id are the same in all attempts', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  const requests = await exhaust(server, hook)
  assert.equal(requests.length, 6)
  assert.equal(new Set(requests.map(({ headers }) => headers['x-webhook-id'])).size, 1)
  assert.equal(new Set(requests.map(({ body }) => body.toString())).size, 1)
})

test('spec 6.1: only the events of the subscription are sent', async t => {
  const hook = await addHook(t, server, 200, { events: ['ticket.closed', 'ticket.rated'] })
  await emit(server, 'ticket.created')
  await emit(server, 'message.created')
  await emit(server, 'ticket.rated')
  assert.equal((await hook.receiver.next()).headers['x-webhook-event'], 'ticket.rated')
  assert.equal((await server.api.get(`${hook.path}/deliveries`)).body.total, 1)
})

test("spec 6.1: a project does not receive another project's events", async t => {
  const hook = await addHook(t, server)
  await emit(server, 'ticket.closed', server.rival.id)
  await emit(server, 'ticket.rated')
  assert.equal((await hook.receiver.next()).headers['x-webhook-event'], 'ticket.rated')
})

test('spec 6.2: every event has the common envelope', async t => {
  const hook = await addHook(t, server)
  for (const type of eventTypes) {
    await emit(server, type)
    const body = JSON.parse((await hook.receiver.next()).body.toString())
    assert.deepEqual(Object.keys(body), ['id', 'type', 'timestamp', 'workspace_id', 'data', '_links'])
    assert.match(body.id, /^[0-9a-f]{32}$/)
    assert.equal(body.type, type)
    assert.match(body.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    assert.equal(body.workspace_id, server.acme.id)
    const names = {
      ticket: ['ticket', 'messages'],
      message: ['ticket', 'messages'],
      contact: ['contact', 'tickets'],
    }
    const hasNone = type.startsWith('message.reaction')
    const expected = hasNone ? [] : (names[type.split('.')[0] as 'ticket'] ?? [])
    assert.deepEqual(Object.keys(body._links), expected)
  }
})

test('spec 6.3: the signature is the HMAC-SHA256 of the raw body with the secret', async t => {
  const hook = await addHook(t, server)
  await emit(server, 'message.created')
  const { headers, body } = await hook.receiver.next()
  const expected = createHmac('sha256', hook.secret).update(body).digest('hex')
  assert.equal(headers['x-webhook-signature'], `sha256=${expected}`)
})

test('spec 6.4.2: retries follow after 30 s, 2 min, 10 min, 1 h and 6 h, each counted from the previous attempt', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  for (const [index, pause] of [30, 120, 600, 3_600, 21_600].entries()) {
    await hook.receiver.next()
    const { attempts_log, next_attempt_at } = await delivery(server, hook, one => one.attempts === index + 1)
    const { at } = attempts_log.at(-1)
    const late = seconds(next_attempt_at, at) - pause
    const passed = (Date.now() - Date.parse(`${at}Z`)) / 1_000
    assert.ok(late >= 0 && late <= passed, `${pause} s: ${late} s late, ${passed} s after the attempt`)
    await makeDue(server, hook)
  }
  await hook.receiver.next()
  assert.equal((await delivery(server, hook, one => one.attempts === 6)).next_attempt_at, null)
})

test('spec 6.4.4: disabling a subscription cancels its retries, and enabling does not resume them', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.api.patch(hook.path, { is_active: false })
  await makeDue(server, hook)
  const ended = await delivery(server, hook, one => one.status === 'cancelled')
  assert.equal(ended.attempts, 1)
  await server.api.patch(hook.path, { is_active: true })
  await emit(server, 'ticket.rated')
  assert.equal((await hook.receiver.waitFor(2))[1]!.headers['x-webhook-event'], 'ticket.rated')
})

test('spec 6.4.4: an event during a disabled subscription is never sent to it', async t => {
  const hook = await addHook(t, server)
  await server.api.patch(hook.path, { is_active: false })
  await emit(server, 'ticket.rated')
  await server.api.patch(hook.path, { is_active: true })
  await emit(server, 'ticket.closed')
  assert.equal((await hook.receiver.next()).headers['x-webhook-event'], 'ticket.closed')
  assert.equal((await server.api.get(`${hook.path}/deliveries`)).body.total, 1)
})

test('spec 6.4.5: deliveries are independent: a failing one does not delay the next', async t => {
  const hook = await addHook(t, server, [500, 200])
  await emit(server)
  await hook.receiver.next()
  await emit(server)
  await delivery(server, hook, one => one.status === 'succeeded')
  await delivery(server, hook, one => one.status === 'pending')
})
