import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../client.ts'
import { startReceiver } from '../receiver.ts'
import { until } from '../until.ts'
import { keyOf, makeDataDir, type Program, startServer, statusOf } from './program.ts'

/** The value of the sample with this name and labels. */
const sampleOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find(one => one.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

const read = async ({ url }: Program, headers = {}) => (await fetch(`${url}/metrics`, { headers })).text()

test('reports metrics about requests, deliveries, waiters, limits, the database and the process', async t => {
  const receiver = await startReceiver()
  t.after(receiver.close)
  const server = await startServer(t, { DATA_DIR: makeDataDir(t), WEBHOOK_RETRY_DELAYS: '1h' })
  const key = keyOf(server)
  const api = createClient(`${server.url}/api/v1`, key)
  await api.post('/webhooks', { url: receiver.url, events: ['ticket.created'] })
  const { body: ticket } = await api.post('/tickets', { contact: { email: 'ann@example.com' } })
  await api.get(`/tickets/${ticket.id}`)
  await api.get('/nothing')
  const { last_seq } = (await api.get('/updates?after=0&timeout=0')).body
  const waiting = api.get(`/updates?after=${last_seq}&timeout=50`)

  const text = await until(async () => {
    const now = await read(server)
    const isSent = sampleOf(now, 'deskbell_delivery_attempts_total{result="succeeded"}') === 1
    // A metric whose query takes too long is left out.
    const isMeasured = sampleOf(now, 'deskbell_delivery_oldest_due_seconds') !== undefined
    const isDone = isSent && isMeasured && sampleOf(now, 'deskbell_deliveries_in_flight') === 0
    return isDone && sampleOf(now, 'deskbell_waiters{kind="updates"}') === 1 ? now : null
  })
  const time = 'deskbell_http_request_duration_seconds'
  const got = 'route="/api/v1/tickets/{ticket_id}",method="GET",status="2xx"'
  assert.equal(sampleOf(text, `${time}_count{${got}}`), 1)
  assert.equal(sampleOf(text, `${time}_bucket{${got},le="+Inf"}`), 1)
  assert.ok(sampleOf(text, `${time}_sum{${got}}`)! > 0)
  assert.equal(sampleOf(text, `${time}_count{route="none",method="ANY",status="4xx"}`), 1)
  assert.equal(sampleOf(text, 'deskbell_delivery_oldest_due_seconds'), 0)
  assert.ok(sampleOf(text, 'deskbell_limiter_decisions_total{decision="allowed"}')! >= 6)
  assert.equal(sampleOf(text, 'deskbell_limiter_decisions_total{decision="failed_open"}'), 0)
  assert.ok(sampleOf(text, 'deskbell_db_connections_open{pool="api"}')! >= 1)
  assert.equal(sampleOf(text, 'deskbell_db_waiting{pool="api"}'), 0)
  assert.ok(sampleOf(text, 'process_resident_memory_bytes')! > 1e7)
  // The lag is measured from the first scrape on, so the second one has it.
  assert.ok(sampleOf(await read(server), 'nodejs_eventloop_lag_seconds{quantile="0.99"}') !== undefined)
  for (const secret of [key, ticket.id, 'ann@example.com', receiver.url]) assert.ok(!text.includes(secret))
  for (const line of text.trim().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/)
  await api.post('/tickets', { contact: { email: 'ann@example.com' } })
  await waiting
})

test('allows metrics only to direct local requests and to bearers of the token', async t => {
  const dataDir = makeDataDir(t)
  const server = await startServer(t, { DATA_DIR: dataDir, METRICS_TOKEN: 'let-me-see' })
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/metrics`, { headers })).status
  const passedOn = { 'x-forwarded-for': '127.0.0.1' }
  assert.equal(await ask({}), 200)
  assert.equal(await ask(passedOn), 404)
  assert.equal(await ask({ ...passedOn, authorization: 'Bearer let-me-see' }), 200)
  assert.equal(await ask({ ...passedOn, authorization: 'Bearer let-me-see2' }), 404)
  server.child.kill('SIGTERM')
  await server.ended
  const closed = await startServer(t, { DATA_DIR: dataDir, METRICS_ALLOWED_CIDRS: '10.0.0.0/8' })
  assert.equal(await statusOf(`${closed.url}/metrics`), 404)
})
