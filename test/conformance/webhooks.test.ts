import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { subscribable } from '../../src/events/catalogue.ts'
import { startServer, type TestServer } from '../server.ts'
import { addHook, emit, readHook } from '../webhooks.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.close())

const listed = ['created_at', 'description', 'events', 'id', 'is_active', 'url']
const without = (path: string) => server.api.get(path)

test('spec 2.2: a registration returns id, url, events, secret, is_active, description and created_at', async () => {
  const { status, body } = await server.api.post('/webhooks', {
    url: 'https://example.com/hook',
    events: ['ticket.created'],
    description: 'CRM',
  })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body).sort(), [...listed, 'secret'].sort())
  assert.equal(body.url, 'https://example.com/hook')
  assert.deepEqual(body.events, ['ticket.created'])
  assert.equal(body.description, 'CRM')
  assert.equal(body.is_active, true)
  assert.match(body.secret, /^[0-9a-f]{64}$/)
  assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
})

for (const url of ['', 'not a url', 'ftp://example.com', 'http://10.0.0.1:99999/', 'javascript:alert(1)']) {
  test(`spec 2.2: the url is not validated at registration: ${JSON.stringify(url)}`, async () => {
    const { status, body } = await server.api.post('/webhooks', { url })
    assert.equal(status, 201)
    assert.equal(body.url, url)
  })
}

test('spec 2.2: missing events mean all events', async t => {
  const hook = await addHook(t, server)
  await emit(server, 'operator.status.changed')
  assert.equal((await hook.receiver.next()).headers['x-webhook-event'], 'operator.status.changed')
})

test('spec 2.2: empty events mean all events', async t => {
  const hook = await addHook(t, server, 200, { events: [] })
  await emit(server, 'billing.balance_low')
  assert.equal((await hook.receiver.next()).headers['x-webhook-event'], 'billing.balance_low')
})

test('spec 2.2: a missing description becomes an empty text', async () => {
  const { body } = await server.api.post('/webhooks', { url: 'http://x' })
  assert.equal(body.description, '')
})

test('spec 2.2: null events and a null description are treated as missing', async () => {
  const { status, body } = await server.api.post('/webhooks', {
    url: 'http://x',
    events: null,
    description: null,
  })
  assert.deepEqual([status, body.events, body.description], [201, [], ''])
})

test('spec 4.1: PATCH with null events and a null description resets them to their defaults', async t => {
  const hook = await addHook(t, server, 200, { events: ['ticket.created'], description: 'old' })
  const { status, body } = await server.api.patch(hook.path, { events: null, description: null })
  assert.deepEqual([status, body.events, body.description], [200, [], ''])
  await emit(server, 'ticket.rated')
  assert.equal((await hook.receiver.next()).headers['x-webhook-event'], 'ticket.rated')
})

test('spec 2.2: each webhook has its own secret', async () => {
  const made = await Promise.all([1, 2, 3].map(() => server.api.post('/webhooks', { url: 'http://x' })))
  assert.equal(new Set(made.map(({ body }) => body.secret)).size, 3)
})

test('spec 2.2: only the registration returns the secret', async t => {
  const hook = await addHook(t, server)
  await emit(server)
  await hook.receiver.next()
  const answers = await Promise.all([
    without('/webhooks'),
    without(hook.path),
    server.api.patch(hook.path, { description: 'x' }),
    without(`${hook.path}/deliveries`),
    server.api.post(`${hook.path}/test`),
  ])
  for (const { text } of answers) assert.ok(!text.includes(hook.secret))
  const [row] = await server.db<{ dump: string }[]>`
    select (select json_agg(w)::text from webhooks w) || (select json_agg(d)::text from webhook_deliveries d) as dump`
  assert.ok(!row!.dump.includes(hook.secret))
  assert.ok(!row!.dump.includes(Buffer.from(hook.secret).toString('hex')))
})

test('spec 4.1: POST without url answers with a list of problems', async () => {
  const { status, body } = await server.api.post('/webhooks', { events: [] })
  assert.equal(status, 422)
  assert.deepEqual([body.detail[0].type, body.detail[0].loc], ['missing', ['body', 'url']])
})

for (const [name, body, loc] of [
  ['url', { url: 5 }, ['body', 'url']],
  ['events', { url: 'x', events: 'ticket.created' }, ['body', 'events']],
  ['an event', { url: 'x', events: [5] }, ['body', 'events', 0]],
  ['description', { url: 'x', description: 5 }, ['body', 'description']],
] as const) {
  test(`spec 4.1: a wrong type of ${name} answers with a list of problems`, async () => {
    const { status, body: answer } = await server.api.post('/webhooks', body)
    assert.equal(status, 422)
    assert.deepEqual(answer.detail[0].loc, loc)
  })
}

test('spec 4.1, spec 7.1 422 VALIDATION_ERROR: POST with unknown events lists the unknown and all valid names', async () => {
  const events = ['ticket.created', 'ticket.exploded', 'x']
  const { status, body } = await server.api.post('/webhooks', { url: 'http://x', events })
  assert.equal(status, 422)
  assert.equal(body.error_code, 'VALIDATION_ERROR')
  assert.deepEqual(body.detail.unknown, ['ticket.exploded', 'x'])
  assert.deepEqual(body.detail.valid, subscribable)
  assert.equal(body.detail.valid.length, 24)
})

test('spec 4.1: every event of section 6 can be subscribed to', async () => {
  const { status, body } = await server.api.post('/webhooks', { url: 'http://x', events: subscribable })
  assert.equal(status, 201)
  assert.deepEqual(body.events, subscribable)
})

test('spec 4.1: GET lists every subscription without secret and consecutive_failures', async t => {
  const hook = await addHook(t, server)
  const { status, body } = await server.api.get('/webhooks')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['items'])
  assert.ok(body.items.some((item: { id: string }) => item.id === hook.id))
  for (const item of body.items) assert.deepEqual(Object.keys(item).sort(), listed)
})

test('spec 4.1: PATCH changes only the sent fields and returns consecutive_failures', async t => {
  const hook = await addHook(t, server, 200, { events: ['ticket.created'], description: 'old' })
  const before = await readHook(server, hook)
  const { status, body } = await server.api.patch(hook.path, { description: 'new' })
  assert.equal(status, 200)
  assert.deepEqual(body, { ...before, description: 'new' })
  assert.deepEqual(Object.keys(body).sort(), [...listed, 'consecutive_failures'].sort())
  assert.equal(body.consecutive_failures, 0)
})

for (const change of [
  { url: 'http://other' },
  { events: ['message.created'] },
  { events: [] },
  { description: '' },
  { is_active: false },
]) {
  test(`spec 4.1: PATCH accepts ${JSON.stringify(change)}`, async t => {
    const hook = await addHook(t, server, 200, { events: ['ticket.created'], description: 'old' })
    const before = await readHook(server, hook)
    assert.deepEqual((await server.api.patch(hook.path, change)).body, { ...before, ...change })
    assert.deepEqual(await readHook(server, hook), { ...before, ...change })
  })
}

test('spec 4.1: PATCH validates event names like a registration, and changes nothing on an error', async t => {
  const hook = await addHook(t, server)
  const { status, body } = await server.api.patch(hook.path, { description: 'new', events: ['nope'] })
  assert.equal(status, 422)
  assert.equal(body.error_code, 'VALIDATION_ERROR')
  assert.deepEqual(body.detail.unknown, ['nope'])
  assert.deepEqual(body.detail.valid, subscribable)
  assert.equal((await readHook(server, hook)).description, '')
})

test('spec 4.1, spec 7.1 204: DELETE answers 204 without a body, and the subscription is gone', async t => {
  const hook = await addHook(t, server)
  const { status, text } = await server.api.delete(hook.path)
  assert.deepEqual([status, text], [204, ''])
  assert.equal((await server.api.get(hook.path)).status, 404)
  assert.equal((await server.api.delete(hook.path)).status, 404)
})

const unknown = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'
const operations = [
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', '/test'],
  ['POST', '/rotate-secret'],
  ['GET', '/deliveries'],
  ['GET', `/deliveries/${unknown}`],
  ['POST', `/deliveries/${unknown}/redeliver`],
] as const

for (const [method, rest] of operations) {
  test(`spec 7.1 404: ${method} /webhooks/{id}${rest} answers the same brief 404 for a missing and for another project's webhook`, async t => {
    const hook = await addHook(t, server)
    const body = method === 'GET' ? undefined : {}
    const answers = await Promise.all([
      server.api.request(method, `/webhooks/${unknown}${rest}`, body),
      server.api.request(method, `/webhooks/nonsense${rest}`, body),
      server.api.request(method, `/webhooks/${hook.id.toUpperCase()}${rest}`, body),
      server.outsider.request(method, `${hook.path}${rest}`, body),
    ])
    for (const { status, text } of answers) {
      assert.deepEqual([status, text], [404, '{"detail":"Webhook not found"}'])
    }
    assert.equal((await server.api.get(hook.path)).status, 200)
    assert.equal(hook.receiver.requests.length, 0)
  })
}

test('spec 2.2: another project sees none of our subscriptions', async t => {
  await addHook(t, server)
  assert.deepEqual((await server.outsider.get('/webhooks')).body, { items: [] })
})
