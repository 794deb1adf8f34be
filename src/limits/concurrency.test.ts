import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startReceiver } from '../../test/receiver.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { makeUpload } from '../../test/upload.ts'

/** A server that handles one API request at a time. */
async function setUp(t: TestContext) {
  const server = await startServer({ delivers: false, config: { requestsAtOnce: 1 } })
  t.after(() => server.close())
  return { ...server, ticket: await makeTicket(server.api) }
}

type Server = Awaited<ReturnType<typeof setUp>>

/** Sends requests for longer than the limit tolerates a request in progress. All must succeed. */
async function succeedForLong(act: () => Promise<{ status: number }>): Promise<void> {
  const begun = performance.now()
  while (performance.now() - begun < 1_300) assert.equal((await act()).status, 200)
}

/** Keeps a request in progress while `act` runs, and returns its response. */
async function whileBusy({ db, api, ticket }: Server, act: () => Promise<void>) {
  let closing: ReturnType<typeof api.post> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from tickets where id = ${ticket.id} for update`
    closing = api.post(`/tickets/${ticket.id}/close`)
    await until(async () => {
      const { count } = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return count > 0
    })
    await act()
  })
  return (await closing)!
}

test('requests are refused after the limit has been reached for one second, and accepted when the request in progress ends', async t => {
  const server = await setUp(t)
  const { api, outsider } = server
  const begun = performance.now()
  const answer = await whileBusy(server, async () => {
    const detail = { retry_after: 1, reason: 'overloaded', limit: 1 }
    const { status } = await api.get('/tickets')
    // A busy machine may have taken longer than the second.
    assert.ok(status === 200 || performance.now() - begun > 1_000)
    await until(async () => (await api.get('/tickets')).status !== 200)
    for (const client of [api, outsider]) {
      const refused = await client.get('/tickets')
      assertEnvelope(refused, 429, 'RATE_LIMIT_EXCEEDED', detail)
      assert.equal(refused.headers.get('retry-after'), '1')
    }
    assertEnvelope(await api.post('/tickets', { contact: {} }), 429, 'RATE_LIMIT_EXCEEDED', detail)
  })
  assert.equal(answer.status, 200)
  assert.equal((await api.get('/tickets')).status, 200)
})

test('waiting for events and uploading are allowed at the limit, and do not count towards it', async t => {
  const server = await setUp(t)
  const { api } = server
  await whileBusy(server, async () => {
    await succeedForLong(() => api.get('/updates?timeout=0'))
    await makeUpload(api)
  })
  const waiting = api.get('/updates?timeout=2')
  await succeedForLong(() => api.get('/tickets'))
  assert.equal((await waiting).status, 200)
})

test('the test of a webhook whose target hangs does not count towards the limit', async t => {
  const { api } = await setUp(t)
  const target = await startReceiver({ fault: 'hang' })
  t.after(() => target.close())
  const { body } = await api.post('/webhooks', { url: target.url })
  const trial = api.post(`/webhooks/${body.id}/test`)
  await target.next()
  await succeedForLong(() => api.get('/tickets'))
  target.dropConnections()
  assert.equal((await trial).status, 200)
})

test('a request whose body arrives slowly does not count towards the limit', async t => {
  const { api, url, acme } = await setUp(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => socket.destroy())
  const head = `POST /api/v1/tickets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${acme.key.key}\r\ncontent-length: 9\r\n\r\n{`
  await new Promise<void>(done => socket.write(head, () => done()))
  await succeedForLong(() => api.get('/tickets'))
})

test('failed requests no longer count towards the limit', async t => {
  const { api, stranger } = await setUp(t)
  for (let n = 0; n < 3; n++) {
    assert.equal((await stranger.get('/tickets')).status, 401)
    assert.equal((await api.get('/nothing')).status, 404)
    assert.equal((await api.get('/tickets?page_size=x')).status, 422)
    assert.equal((await api.request('PUT', '/tickets')).status, 405)
  }
  await succeedForLong(() => api.get('/tickets'))
})
