import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems, createClient } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { createKey } from './api-keys.ts'
import { deleteOldResponses } from './idempotency.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, url, acme } = server
after(() => server.close())

const ticket = await makeTicket(api)
const bodyOf = () => ({ contact: { email: `${unique()}@example.com` }, content: 'Hello' })
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

const operations: [string, string, () => object][] = [
  ['POST /tickets', '/tickets', bodyOf],
  ['POST /tickets/{id}/messages', `/tickets/${ticket.id}/messages`, () => ({ content: unique() })],
  ['POST /contacts', '/contacts', () => ({ email: `${unique()}@example.com` })],
  ['POST /webhooks', '/webhooks', () => ({ url: `https://example.com/${unique()}` })],
]

for (const [name, path, make] of operations) {
  test(`${name} with a repeated Idempotency-Key returns the stored response, and does nothing`, async () => {
    const [key, body] = [unique(), make()]
    const first = await api.post(path, body, keyed(key))
    assert.equal(first.status, 201)
    assert.equal(first.headers.get('idempotency-replayed'), null)
    const events = await eventsOf(server, async () => {
      const again = await api.post(path, body, keyed(key))
      assert.deepEqual([again.status, again.body], [201, first.body])
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
    })
    assert.deepEqual(events, [])
  })

  test(`${name} with the same key and another body is refused`, async () => {
    const key = unique()
    await api.post(path, make(), keyed(key))
    const events = await eventsOf(server, async () => {
      const answer = await api.post(path, make(), keyed(key))
      assertEnvelope(answer, 422, 'VALIDATION_ERROR', { reason: 'idempotency_key_reused' })
    })
    assert.deepEqual(events, [])
  })
}

test('20 simultaneous requests with one key create one ticket and get the same response', async () => {
  const [key, body] = [unique(), bodyOf()]
  const events = await eventsOf(server, async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post('/tickets', body, keyed(key))),
    )
    assert.deepEqual([...new Set(answers.map(answer => answer.status))], [201])
    assert.equal(new Set(answers.map(answer => answer.text)).size, 1)
    assert.equal(answers.filter(answer => answer.headers.get('idempotency-replayed')).length, 19)
  })
  assert.equal(events.filter(event => event.type === 'ticket.created').length, 1)
})

test('an Idempotency-Key is separate for each API key, of the same project or of Rival', async () => {
  const [key, body] = [unique(), bodyOf()]
  const first = await api.post('/tickets', body, keyed(key))
  const other = createClient(url, (await createKey(db, acme.id, 'Other')).key)
  for (const caller of [other, outsider]) {
    const answer = await caller.post('/tickets', body, keyed(key))
    assert.equal(answer.status, 201)
    assert.notEqual(answer.body.id, first.body.id)
    assert.equal(answer.headers.get('idempotency-replayed'), null)
  }
  assert.deepEqual((await api.post('/tickets', body, keyed(key))).body, first.body)
})

test('without an Idempotency-Key, every request is executed', async () => {
  const body = bodyOf()
  const [one, two] = [await api.post('/tickets', body), await api.post('/tickets', body)]
  assert.notEqual(one.body.id, two.body.id)
})

test('using one key for two operations is refused as idempotency_key_reused', async () => {
  const [key, body] = [unique(), { email: `${unique()}@example.com` }]
  await api.post('/contacts', body, keyed(key))
  const answer = await api.post('/tickets', { contact: body }, keyed(key))
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { reason: 'idempotency_key_reused' })
})

test('a refused request does not use up its key', async () => {
  const key = unique()
  assertProblems(await api.post('/tickets', {}, keyed(key)))
  assertBrief(await api.post('/tickets', { contact: {} }, keyed(key)), 400)
  const wrong = { ...bodyOf(), operator_id: nobody }
  assertEnvelope(await api.post('/tickets', wrong, keyed(key)), 422, 'VALIDATION_ERROR', {
    field: 'operator_id',
  })
  assert.equal((await api.post('/tickets', bodyOf(), keyed(key))).status, 201)
})

test('a 200 for a known external_id is replayed as 200', async () => {
  const [key, path] = [unique(), `/tickets/${ticket.id}/messages`]
  const body = { content: 'x', external_id: unique() }
  await api.post(path, body)
  for (let round = 0; round < 2; round++) assert.equal((await api.post(path, body, keyed(key))).status, 200)
})

test('an Idempotency-Key has 1 to 255 visible ASCII characters', async () => {
  for (const key of ['', 'a b', 'x'.repeat(256), 'ä']) {
    const answer = await api.post('/tickets', bodyOf(), keyed(key))
    assertProblems(answer, 'header.idempotency-key')
  }
  assert.equal((await api.post('/tickets', bodyOf(), keyed('~'.repeat(255)))).status, 201)
})

test('a key can be used again after 24 hours, before and after the cleanup', async () => {
  for (const isSwept of [false, true]) {
    const [key, body] = [unique(), bodyOf()]
    const first = await api.post('/tickets', body, keyed(key))
    await db`update idempotency_keys set created_at = now() - interval '24 hours 1 s' where key = ${key}`
    if (isSwept) assert.ok((await deleteOldResponses(db)) >= 1)
    const again = await api.post('/tickets', bodyOf(), keyed(key))
    assert.equal(again.status, 201)
    assert.notEqual(again.body.id, first.body.id)
  }
})

test('the cleanup keeps responses of the last 24 hours', async () => {
  const [key, body] = [unique(), bodyOf()]
  const first = await api.post('/tickets', body, keyed(key))
  await db`update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where key = ${key}`
  await deleteOldResponses(db)
  assert.equal((await api.post('/tickets', body, keyed(key))).body.id, first.body.id)
})
