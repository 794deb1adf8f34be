import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { before, test } from 'node:test'
import { type Client, createClient } from '../client.ts'
import { type Span, startCollector } from '../collector.ts'
import { addressOf, createDatabase } from '../database.ts'
import { openFileContext } from '../file-context.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { until } from '../until.ts'
import { keyOf, makeDataDir, makeFolder, type Program, startServer, stopServer } from './program.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const words = 'the-words-of-a-customer'

const apiOf = (server: Program): Client => createClient(`${server.url}/api/v1`, keyOf(server))

type Collector = Awaited<ReturnType<typeof startCollector>>
let collector: Collector
let receiver: Receiver
/** Strings that no span may contain. */
let secrets: string[]
let ticket: { id: string; workspace_id: string }

const find = (name: string, more: (span: Span) => boolean = () => true): Span => {
  const span = collector.spans.find(span => span.name === name && more(span))
  assert.ok(span, `${name} among ${collector.spans.map(one => one.name).join(', ')}`)
  return span
}

const context = openFileContext()

before(async () => {
  collector = await startCollector()
  receiver = await startReceiver()
  const server = await startServer(context, {
    DATA_DIR: makeDataDir(context),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20letmein',
    OTEL_SERVICE_NAME: 'desk-of-acme',
  })
  const api = apiOf(server)
  const url = `${receiver.url}/hook-token`
  const { body: webhook } = await api.post('/webhooks', { url, events: ['message.created'] })
  const headers = { traceparent, 'x-request-id': 'request-1' }
  const sent = { contact: { email: 'ann@example.com' }, content: words }
  ticket = (await api.post('/tickets', sent, { headers })).body
  await api.get('/tickets/nothing?search=words-of-a-query')
  await api.post(`/webhooks/${webhook.id}/test`)
  const later = { content: words, send_at: new Date(Date.now() + 5_000).toISOString() }
  await api.post(`/tickets/${ticket.id}/messages`, later)
  await receiver.waitFor(3)
  await stopServer(server)
  const key = keyOf(server)
  secrets = [key, key.slice(0, 12), webhook.secret, 'ann@example.com', words, 'words-of-a-query']
  secrets.push('hook-token', 'letmein')
  await Promise.all([collector.close(), receiver.close()])
})

test("the span of a request has its route, status, request id, project, and the caller's parent span", () => {
  const span = find('POST /api/v1/tickets')
  assert.equal(span.service, 'desk-of-acme')
  assert.deepEqual(
    [span.kind, span.traceId, span.parentSpanId],
    [2, '0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'],
  )
  assert.deepEqual(span.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/v1/tickets',
    'http.response.status_code': 201,
    'deskbell.request_id': 'request-1',
    'deskbell.project_id': ticket.workspace_id,
  })
  const missing = find('GET /api/v1/tickets/{ticket_id}')
  assert.equal(missing.attributes['http.response.status_code'], 404)
  assert.equal(missing.parentSpanId, undefined)
})

test('the statements of a request are child spans, named by verb and table', () => {
  const request = find('POST /api/v1/tickets')
  const within = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  assert.ok(within.length >= 2)
  for (const { kind, name, traceId, attributes } of within) {
    assert.deepEqual([kind, traceId], [3, request.traceId])
    assert.match(name, /^[a-z]+( [a-z_]+)?$/)
    assert.deepEqual(attributes, { 'db.system.name': 'postgresql', 'db.query.summary': name })
  }
})

test('a webhook attempt is a span, and a webhook test is a child of its request', () => {
  const isOf = (event: string) => (span: Span) => span.attributes['deskbell.event'] === event
  const trial = find('webhook attempt', isOf('webhook.test'))
  assert.equal(trial.parentSpanId, find('POST /api/v1/webhooks/{webhook_id}/test').spanId)
  const { parentSpanId, attributes } = find('webhook attempt', isOf('message.created'))
  assert.equal(parentSpanId, undefined)
  assert.equal(attributes['deskbell.project_id'], ticket.workspace_id)
  assert.equal(attributes['deskbell.attempt'], 1)
  assert.equal(attributes['http.response.status_code'], 200)
})

test('a job run that did something is a span', () => {
  assert.equal(find('job: send scheduled messages').attributes['deskbell.job.done'], 1)
  assert.ok(!collector.spans.some(({ name }) => name === 'job: delete old merge records'))
})

test('spans contain no secrets and no text that people wrote', () => {
  assert.deepEqual(collector.requests[0], { path: '/v1/traces', authorization: 'Bearer letmein' })
  assert.deepEqual(
    secrets.filter(secret => collector.text.includes(secret)),
    [],
  )
})

test("does not pass a caller's traceparent on to webhooks", () => {
  assert.equal(receiver.requests.length, 3)
  for (const { headers } of receiver.requests) assert.equal(headers.traceparent, undefined)
})

const faults: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  'answers 503': response => void response.writeHead(503).end(),
}

for (const [what, answer] of Object.entries(faults)) {
  test(`a collector that ${what} delays no request and no stop`, async t => {
    const broken = await startCollector(answer)
    t.after(broken.close)
    // Without a Postgres of its own, whose stop takes time too.
    const { target, drop } = await createDatabase()
    t.after(drop)
    const own = { DATA_DIR: makeFolder(t), DATABASE_URL: addressOf(target) }
    const server = await startServer(t, { ...own, OTEL_EXPORTER_OTLP_ENDPOINT: broken.url })
    const api = apiOf(server)
    await api.get('/tickets')
    await until(() => broken.requests[0])
    // A collector is given up after ten seconds.
    const begun = Date.now()
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.get('/tickets')))
    assert.ok(Date.now() - begun < 10_000)
    assert.ok(answers.every(({ status }) => status === 200))
    const stopped = Date.now()
    assert.equal((await stopServer(server)).status, 0)
    assert.ok(Date.now() - stopped < 10_000)
  })
}
