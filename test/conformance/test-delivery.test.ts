import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { compileBody } from '../../src/core/http/validate.ts'
import { catalogue, eventTypes } from '../../src/events/catalogue.ts'
import { verifySignature } from '../receiver.ts'
import { startServer, type TestServer } from '../server.ts'
import { addHook, readHook } from '../webhooks.ts'

let server: TestServer
/** Only for targets that do not respond. On a busy machine, other targets may take longer too. */
let impatient: TestServer
before(async () => {
  server = await startServer({ config: { webhookTimeout: 15_000 } })
  impatient = await startServer({ config: { webhookTimeout: 300 } })
})
after(() => Promise.all([server.close(), impatient.close()]))

test('spec 2.4: the result of a webhook test that was delivered', async t => {
  const hook = await addHook(t, server)
  const { status, body } = await server.api.post(`${hook.path}/test`)
  assert.equal(status, 200)
  const { headers } = await hook.receiver.next()
  const { latency_ms, ...rest } = body
  assert.deepEqual(rest, {
    delivered: true,
    status_code: 200,
    error: null,
    delivery_id: headers['x-webhook-id'],
    signature_header: headers['x-webhook-signature'],
  })
  assert.ok(Number.isInteger(latency_ms))
})

for (const [name, answer, code, error] of [
  ['500', 500, 500, 'status'],
  ['redirect', { status: 301, headers: { location: 'http://localhost' } }, 301, 'redirect'],
  ['hanging target', { fault: 'hang' }, null, 'timeout'],
] as const) {
  test(`spec 2.4: the result of a webhook test with a ${name}`, async t => {
    const place = error === 'timeout' ? impatient : server
    const hook = await addHook(t, place, answer)
    const { status, body } = await place.api.post(`${hook.path}/test`)
    assert.equal(status, 200)
    assert.deepEqual([body.delivered, body.status_code, body.error], [false, code, error])
    assert.match(body.signature_header, /^sha256=[0-9a-f]{64}$/)
  })
}

test('spec 4.1: a webhook test sends one webhook.test with the envelope, headers and signature of a real event', async t => {
  const hook = await addHook(t, server, 200, { events: ['ticket.created'] })
  await server.api.post(`${hook.path}/test`)
  const { headers, body } = await hook.receiver.next()
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['x-webhook-event'], 'webhook.test')
  assert.equal(headers['x-webhook-attempt'], '1')
  assert.ok(verifySignature(hook.secret, body, headers['x-webhook-signature']))
  const { id, timestamp, ...rest } = JSON.parse(body.toString())
  assert.match(id, /^[0-9a-f]{32}$/)
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
  const data = { webhook_id: hook.id, message: 'This is a test event' }
  assert.deepEqual(rest, { type: 'webhook.test', workspace_id: server.acme.id, data, _links: {} })
})

test('spec 4.1: a webhook test is one attempt without retries, and is logged as a test', async t => {
  const hook = await addHook(t, server, 500)
  const { body } = await server.api.post(`${hook.path}/test`)
  const { body: kept } = await server.api.get(`${hook.path}/deliveries/${body.delivery_id}`)
  assert.deepEqual([kept.status, kept.attempts, kept.is_test], ['failed', 1, true])
  assert.equal(hook.receiver.requests.length, 1)
})

test('spec 4.1: a webhook test is sent once, even if a reused connection breaks', async t => {
  const hook = await addHook(t, server, [200, { fault: 'close' }])
  assert.equal((await server.api.post(`${hook.path}/test`)).body.delivered, true)
  const { body } = await server.api.post(`${hook.path}/test`)
  assert.deepEqual([body.delivered, body.error], [false, 'reset'])
  assert.equal(hook.receiver.requests.length, 2)
})

test('spec 3.1, spec 4.1: a webhook test works for an inactive subscription, and changes neither state nor counter', async t => {
  const hook = await addHook(t, server, [200, 500])
  await server.api.patch(hook.path, { is_active: false })
  await server.db`update webhooks set consecutive_failures = 3 where id = ${hook.id}`
  assert.equal((await server.api.post(`${hook.path}/test`)).body.delivered, true)
  assert.equal((await server.api.post(`${hook.path}/test`)).body.delivered, false)
  const { is_active, consecutive_failures } = await readHook(server, hook)
  assert.deepEqual([is_active, consecutive_failures], [false, 3])
})

test('runs at most eight webhook tests of a project at once, without delaying other projects', async t => {
  let [underway, maxUnderway] = [0, 0]
  const held = Promise.withResolvers<void>()
  const hook = await addHook(t, server, async () => {
    maxUnderway = Math.max(maxUnderway, ++underway)
    await held.promise
    underway--
    return 200
  })
  const free = await addHook(t, server)
  const { body: rival } = await server.outsider.post('/webhooks', { url: free.receiver.url })
  const trials = Array.from({ length: 20 }, () => server.api.post(`${hook.path}/test`))
  await hook.receiver.waitFor(8)
  assert.equal((await server.outsider.post(`/webhooks/${rival.id}/test`)).body.delivered, true)
  assert.equal(underway, 8)
  held.resolve()
  const answers = await Promise.all(trials)
  assert.ok(answers.every(({ body }) => body.delivered))
  assert.equal(maxUnderway, 8)
})

test('each webhook test of a hanging target ends at its own deadline, even if it was never sent', async t => {
  const hook = await addHook(t, server, { fault: 'hang' })
  const startedAt = performance.now()
  const trials = Array.from({ length: 9 }, () => server.api.post(`${hook.path}/test`))
  const answers = await Promise.all(trials)
  // Waiting first and then timing out would take 20 s.
  assert.ok(performance.now() - startedAt < 20_000)
  assert.equal(hook.receiver.requests.length, 8)
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.delivered, body.status_code, body.error], [200, false, null, 'timeout'])
    assert.match(body.signature_header, /^sha256=[0-9a-f]{64}$/)
    assert.equal((await server.api.get(`${hook.path}/deliveries/${body.delivery_id}`)).body.status, 'failed')
  }
})

for (const type of eventTypes) {
  test(`a webhook test can send a sample of ${type}`, async t => {
    const hook = await addHook(t, server)
    assert.equal((await server.api.post(`${hook.path}/test`, { event: type })).body.delivered, true)
    const { headers, body } = await hook.receiver.next()
    const { data } = JSON.parse(body.toString())
    assert.equal(headers['x-webhook-event'], type)
    assert.equal(data.test, true)
    compileBody(catalogue[type])(data)
  })
}

test('a webhook test of an unknown event answers VALIDATION_ERROR, and sends nothing', async t => {
  const hook = await addHook(t, server)
  const { status, body } = await server.api.post(`${hook.path}/test`, { event: 'nope' })
  assert.deepEqual([status, body.error_code, body.detail.unknown], [422, 'VALIDATION_ERROR', ['nope']])
  assert.equal(hook.receiver.requests.length, 0)
})
