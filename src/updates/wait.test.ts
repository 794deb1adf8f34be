import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { lastSeq, makeTicket, unique } from '../../test/cast.ts'
import { type Answer, assertBrief, assertEnvelope, type Client, createClient } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { append, startWaiting, untilFull, waitUntilAccepted } from '../../test/updates.ts'
import { MaintenanceError } from '../core/errors.ts'
import { createKey, deleteKey, disableKey } from '../keys/keys.ts'
import { readMetrics } from '../metrics.ts'
import { setMaintenance } from '../projects/installation.ts'
import { resumeProject, suspendProject } from '../projects/projects.ts'

const server = await startServer({ delivers: false, config: { waitingPerKey: 1 } })
const { url, outsider, db, acme } = server
after(() => server.close())

/** A caller of Acme with its own key, and so its own limit of waiting calls. */
async function enter(): Promise<{ api: Client; id: string; key: string }> {
  const { id, key } = await createKey(db, acme.id, unique())
  return { api: createClient(url, key), id, key }
}

const typesIn = ({ body }: Answer): string[] => body.items.map(({ type }: { type: string }) => type)

const timed = async <T>(answer: Promise<T>): Promise<[T, number]> => {
  const begun = performance.now()
  return [await answer, (performance.now() - begun) / 1_000]
}

test('spec 4.2 GET updates: a waiting call returns an event when it happens', async () => {
  const { api } = await enter()
  const waiting = await startWaiting(api)
  const ticket = await makeTicket(api)
  const { body } = await waiting.answer
  assert.deepEqual([body.items.length, body.items[0].data.ticket_id], [1, ticket.id])
  assert.equal(body.last_seq, await lastSeq(db, acme))
})

test('an event between two calls is returned at once', async () => {
  const { api } = await enter()
  const { body } = await api.get('/updates?timeout=0')
  await makeTicket(api)
  const [answer, seconds] = await timed(api.get(`/updates?after=${body.last_seq}&timeout=55`))
  assert.deepEqual(typesIn(answer), ['ticket.created'])
  assert.ok(seconds < 50)
})

test('calls that wait for the same events get the same response', async () => {
  const callers = await Promise.all(Array.from({ length: 120 }, enter))
  const { last_seq } = (await callers[0]!.api.get('/updates?timeout=0')).body
  const waiting = await Promise.all(
    callers.map(({ api }) => startWaiting(api, `/updates?after=${last_seq}&timeout=50`)),
  )
  await makeTicket(server.api)
  const texts = (await Promise.all(waiting.map(({ answer }) => answer))).map(({ text }) => text)
  assert.equal(new Set(texts).size, 1)
  assert.match(texts[0]!, /"type":"ticket.created"/)
})

test("Rival's events do not end Acme's waiting calls", async () => {
  const { api } = await enter()
  const { last_seq } = (await api.get('/updates?timeout=0')).body
  const waiting = api.get(`/updates?after=${last_seq}&timeout=3`)
  await makeTicket(outsider)
  const { body } = await waiting
  assert.deepEqual([body.items, body.last_seq], [[], last_seq])
})

test('with a filter, only a matching event ends the wait, and last_seq advances past the others', async () => {
  const { api } = await enter()
  const waiting = await startWaiting(api, '/updates?timeout=30&events=ticket.closed')
  const ticket = await makeTicket(api, { content: 'x' })
  await api.post(`/tickets/${ticket.id}/close`)
  const answer = await waiting.answer
  assert.deepEqual(typesIn(answer), ['ticket.closed'])
  const without = await api.get(`/updates?timeout=2&events=ticket.rated`)
  assert.deepEqual([without.body.items, without.body.last_seq], [[], await lastSeq(db, acme)])
})

test('last_seq advances while a call waits for events that do not happen', async () => {
  const { api } = await enter()
  // A busy machine may need seconds for the ticket.
  const waiting = api.get('/updates?timeout=10&events=ticket.rated')
  await makeTicket(api)
  const { body } = await waiting
  assert.deepEqual([body.items, body.last_seq], [[], await lastSeq(db, acme)])
})

test('the response is empty after the timeout, and not earlier', async () => {
  const { api } = await enter()
  const [{ status, body }, seconds] = await timed(api.get('/updates?timeout=2'))
  assert.equal(status, 200)
  const last_seq = await lastSeq(db, acme)
  assert.deepEqual(body, { items: [], last_seq, oldest_seq: 1, has_more: false, gap: false })
  assert.ok(seconds >= 1.99, String(seconds))
})

test('an event is found even if its notification is lost', async () => {
  const { api } = await enter()
  const waiting = await startWaiting(api)
  const last = await append(db, acme)
  const { body } = await waiting.answer
  assert.deepEqual([body.items.length, body.last_seq], [1, last])
})

test("a waiting call beyond the key's limit is refused, but available events are returned", async () => {
  const { api } = await enter()
  const waiting = await startWaiting(api)
  const refused = await api.get('/updates')
  assertEnvelope(refused, 429, 'RATE_LIMIT_EXCEEDED', {
    retry_after: 5,
    reason: 'too_many_waiting',
    limit: 1,
  })
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.equal((await api.get('/updates?after=0')).status, 200)
  await makeTicket(api)
  await waiting.answer
})

test("a waiting call beyond the process's limit is refused", async () => {
  const small = await startServer({ delivers: false, config: { waitingPerProcess: 1 } })
  try {
    const waiting = await startWaiting(small.api)
    assertEnvelope(await small.outsider.get('/updates'), 429, 'RATE_LIMIT_EXCEEDED', { limit: 1 })
    await makeTicket(small.api)
    await waiting.answer
  } finally {
    await small.close()
  }
})

test('a caller that disconnects no longer counts as waiting', async () => {
  const { api, key } = await enter()
  const leaving = new AbortController()
  const options = { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal }
  const { answer } = await waitUntilAccepted(api, () => fetch(`${url}/updates?timeout=55`, options))
  leaving.abort()
  await assert.rejects(answer, { name: 'AbortError' })
  await untilFull(api, false)
})

test('spec 4.2 GET updates once, spec 8 long polling: a waiting call counts as one request, from its start', async () => {
  const limited = await startServer({ delivers: false, config: { rateLimitPerKey: 4 } })
  const statuses = async (client: Client, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => client.get('/tickets')))).map(one => one.status)
  try {
    for (const client of [limited.api, limited.outsider]) await client.get('/tickets')
    const waiting = [limited.api, limited.outsider].map(client => client.get('/updates?timeout=55'))
    await until(async () => (await readMetrics()).includes('deskbell_waiters{kind="updates"} 2\n'))
    assert.deepEqual((await statuses(limited.api, 4)).sort(), [200, 200, 200, 429])
    assert.deepEqual(await statuses(limited.outsider, 2), [200, 200])
    for (const member of [limited.acme, limited.rival]) await append(limited.db, member)
    assert.deepEqual(
      (await Promise.all(waiting)).map(one => one.status),
      [200, 200],
    )
    assert.deepEqual((await statuses(limited.outsider, 2)).sort(), [200, 429])
  } finally {
    await limited.close()
  }
})

const invalid = 'API key is invalid or revoked'

test('a disabled or deleted key ends its waiting calls with 401, and no others', async () => {
  const other = await startWaiting((await enter()).api)
  for (const end of [disableKey, deleteKey]) {
    const { api, id } = await enter()
    const waiting = await startWaiting(api)
    await end(db, id)
    assertBrief(await waiting.answer, 401, invalid)
  }
  await makeTicket(server.api)
  assert.deepEqual(typesIn(await other.answer), ['ticket.created'])
})

test('a key never gets events that happened after it was disabled', async () => {
  for (let times = 0; times < 5; times++) {
    const { api, id } = await enter()
    const waiting = await startWaiting(api)
    await disableKey(db, id)
    await makeTicket(server.api)
    assertBrief(await waiting.answer, 401, invalid)
  }
})

test('suspending a project ends the waiting calls of all its keys, and of no others', async () => {
  const { api } = await enter()
  const waiting = await startWaiting(api)
  const rivals = await startWaiting(outsider)
  await suspendProject(db, acme.id)
  assertBrief(await waiting.answer, 401, invalid)
  await resumeProject(db, acme.id)
  await makeTicket(outsider)
  assert.deepEqual(typesIn(await rivals.answer), ['ticket.created'])
})

test('maintenance ends every waiting call with 503', async () => {
  const { api } = await enter()
  const waiting = [await startWaiting(api), await startWaiting(outsider)]
  await setMaintenance(db, true)
  for (const { answer } of waiting) {
    const { status, body, headers } = await answer
    assert.deepEqual([status, body, headers.get('retry-after')], [503, new MaintenanceError().body, '5'])
  }
  await setMaintenance(db, false)
})

test('a stop answers all waiting calls with an empty page, and later calls do not wait', async t => {
  const stopping = new AbortController()
  const app = await buildApp({ ...server, stopping: stopping.signal })
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const api = createClient(`${base}/api/v1`, (await enter()).key)
  const waiting = await startWaiting(api, '/updates?timeout=55')
  stopping.abort()
  const [first, seconds] = await timed(waiting.answer)
  const [second, more] = await timed(api.get('/updates?timeout=55'))
  assert.deepEqual([first.status, first.body.items, second.status, second.body.items], [200, [], 200, []])
  assert.ok(seconds + more < 50)
})
