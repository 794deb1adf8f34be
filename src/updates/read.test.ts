import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { lastSeq, makeContact, makeMessage, makeTicket } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { append } from '../../test/updates.ts'
import { subscribable } from '../events/catalogue.ts'
import { deleteOldEvents } from '../events/retention.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
const retention = { ...server.config, readers: [] }
after(() => server.close())

/** Reads the events after a cursor without waiting. */
const read = (query: string, client = api) => client.get(`/updates?timeout=0&${query}`)

test("spec 6.6.5: an item is the webhook's body with the event's number in front", async () => {
  const { body: webhook } = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const cursor = await lastSeq(db, acme)
  const ticket = await makeTicket(api, { subject: 'Ünï"code\n' })
  await makeMessage(api, ticket.id, { content: 'Häl"lo' })
  const { body: list } = await api.get(`/webhooks/${webhook.id}/deliveries?page_size=2`)
  const bodies = await Promise.all(
    list.items.reverse().map(async ({ id }: { id: string }) => {
      const { body } = await api.get(`/webhooks/${webhook.id}/deliveries/${id}`)
      return body.request_body
    }),
  )
  const { text, body } = await read(`after=${cursor}`)
  const items = bodies.map((sent, at) => `{"seq":${cursor + 1 + at},${sent.slice(1)}`)
  assert.ok(text.startsWith(`{"items":[${items}],`), text)
  assert.deepEqual(
    { ...body, items: [] },
    { items: [], last_seq: cursor + 2, oldest_seq: 1, has_more: false, gap: false },
  )
})

test('events are sorted oldest first, and last_seq is the cursor of the next page', async () => {
  const cursor = await lastSeq(db, acme)
  const last = await append(db, acme, 5)
  const first = (await read(`after=${cursor}&limit=3`)).body
  assert.deepEqual(
    first.items.map((item: { seq: number }) => item.seq - cursor),
    [1, 2, 3],
  )
  assert.deepEqual([first.last_seq, first.has_more], [cursor + 3, true])
  const second = (await read(`after=${first.last_seq}&limit=2`)).body
  assert.deepEqual([second.items.length, second.last_seq, second.has_more], [2, last, false])
})

test('reading does not consume events', async () => {
  await append(db, acme)
  const [first, second] = [await read('after=0'), await read('after=0')]
  assert.ok(first.body.items.length > 0)
  assert.equal(first.text, second.text)
})

test('without a cursor, only later events are returned', async () => {
  const last = await append(db, acme)
  const { body } = await read('')
  assert.deepEqual([body.items, body.last_seq, body.has_more, body.gap], [[], last, false, false])
})

test("Rival reads only Rival's log", async () => {
  await append(db, acme, 3)
  await makeContact(outsider)
  const ticket = await makeTicket(outsider, { content: 'Mine' })
  const { body } = await read('after=0', outsider)
  assert.equal(body.items[0].data.ticket_id, ticket.id)
  assert.deepEqual(
    [...new Set(body.items.map((item: { workspace_id: string }) => item.workspace_id))],
    [rival.id],
  )
  assert.equal(body.last_seq, await lastSeq(db, rival))
})

test('events are filtered by name, repeated or with commas', async () => {
  const cursor = await lastSeq(db, acme)
  const ticket = await makeTicket(api, { content: 'x' })
  await api.post(`/tickets/${ticket.id}/close`)
  const typesOf = async (query: string) =>
    (await read(`after=${cursor}&${query}`)).body.items.map((item: { type: string }) => item.type)
  assert.deepEqual(await typesOf('events=ticket.closed'), ['ticket.closed'])
  const both = ['ticket.created', 'ticket.closed']
  assert.deepEqual(await typesOf('events=ticket.closed,ticket.created'), both)
  assert.deepEqual(await typesOf('events=ticket.closed&events=ticket.created'), both)
  assert.deepEqual(await typesOf('events=webhook.test'), [])
  assert.deepEqual(await typesOf('events='), await typesOf(''))
})

test('last_seq advances even if no event matches the filter', async () => {
  const cursor = await lastSeq(db, acme)
  const last = await append(db, acme, 3)
  const { body } = await read(`after=${cursor}&events=ticket.closed`)
  assert.deepEqual([body.items, body.last_seq, body.has_more], [[], last, false])
})

test('a filter scans 5,000 events at a time, and has_more says if there are more', async () => {
  const cursor = await lastSeq(db, acme)
  await append(db, acme, 5_001)
  const last = await append(db, acme, 1, 'ticket.reopened')
  const begun = performance.now()
  const first = (await api.get(`/updates?after=${cursor}&timeout=50&events=ticket.reopened`)).body
  assert.deepEqual([first.items, first.last_seq, first.has_more], [[], cursor + 5_000, true])
  const second = (await api.get(`/updates?after=${first.last_seq}&timeout=50&events=ticket.reopened`)).body
  assert.deepEqual([second.items.length, second.last_seq, second.has_more], [1, last, false])
  assert.ok(performance.now() - begun < 50_000)
})

test('unknown event names are refused with a list of the valid ones', async () => {
  for (const query of ['events=ticket.eaten', 'events=ticket.closed,ticket.eaten']) {
    const detail = { field: 'events', unknown: ['ticket.eaten'], valid: subscribable }
    assertEnvelope(await read(query), 422, 'VALIDATION_ERROR', detail)
  }
})

test('invalid parameters are validation errors', async () => {
  for (const [query, problem] of [
    ['timeout=999', 'query.timeout:less_than_equal'],
    ['timeout=56', 'query.timeout:less_than_equal'],
    ['timeout=-1', 'query.timeout:greater_than_equal'],
    ['timeout=soon', 'query.timeout:int_parsing'],
    ['after=-1', 'query.after:greater_than_equal'],
    ['after=', 'query.after:int_parsing'],
    ['after=1.5', 'query.after:int_parsing'],
    ['after=99999999999999999999', 'query.after:int_parsing'],
    ['after=0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11', 'query.after:int_parsing'],
    ['limit=0', 'query.limit:greater_than_equal'],
    ['limit=101', 'query.limit:less_than_equal'],
    ['events=%00', 'query.events:value_error'],
  ] as const) {
    assertProblems(await api.get(`/updates?${query}`), problem)
  }
})

test('a cursor beyond the end of the log is refused at once, with the end of the log', async () => {
  const last_seq = await lastSeq(db, acme)
  const detail = { field: 'after', reason: 'in_the_future', last_seq }
  for (const cursor of [last_seq + 1, 999_999_999_999_999]) {
    assertEnvelope(await api.get(`/updates?after=${cursor}`), 422, 'VALIDATION_ERROR', detail)
  }
  const rivals = { field: 'after', reason: 'in_the_future', last_seq: await lastSeq(db, rival) }
  assertEnvelope(await read(`after=${last_seq}`, outsider), 422, 'VALIDATION_ERROR', rivals)
})

test('any value of the cursor is either a position in the log or refused', async () => {
  const last_seq = await lastSeq(db, acme)
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.double().map(String), fc.bigInt().map(String))
  await fc.assert(
    fc.asyncProperty(anything, async cursor => {
      const after = encodeURIComponent(cursor.toWellFormed())
      const { status, body } = await api.get(`/updates?timeout=0&after=${after}`)
      const isPlace = /^\d+$/.test(cursor) && Number(cursor) <= last_seq
      assert.equal(status, isPlace ? 200 : 422, cursor)
      if (isPlace) assert.ok(body.gap || body.items.length > 0 || Number(cursor) === last_seq)
    }),
    { numRuns: 500 },
  )
})

test('HEAD does not wait', async () => {
  const { status, text } = await api.request('HEAD', '/updates?timeout=55')
  assert.deepEqual([status, text], [200, ''])
})

const age = (first: number, last: number, days: number) => db`
  update events set created_at = now() - ${days}::int * interval '1 day'
  where project_id = ${acme.id} and seq between ${first} and ${last}`

test('a cursor before the oldest stored event starts there and reports a gap', async () => {
  const last = await append(db, acme, 10)
  await age(1, last - 8, 15)
  await age(last - 7, last, 13)
  while ((await deleteOldEvents(db, retention, 1_000)) > 0);
  const oldest_seq = last - 7
  const behind = (await read('after=5&limit=3')).body
  assert.deepEqual(
    behind.items.map((item: { seq: number }) => item.seq),
    [oldest_seq, oldest_seq + 1, oldest_seq + 2],
  )
  assert.deepEqual([behind.oldest_seq, behind.gap, behind.last_seq], [oldest_seq, true, oldest_seq + 2])
  assert.equal((await read('after=0')).body.gap, true)
  assert.equal((await read(`after=${oldest_seq - 1}`)).body.gap, false)
})

test('a gap up to the end of the log is reported at once, and only once', async () => {
  const last = await lastSeq(db, acme)
  await age(1, last, 15)
  while ((await deleteOldEvents(db, retention, 1_000)) > 0);
  const { body } = await api.get('/updates?after=5&timeout=50')
  assert.deepEqual(body, { items: [], last_seq: last, oldest_seq: last + 1, has_more: false, gap: true })
  assert.equal((await read(`after=${last}`)).body.gap, false)
})

test('the oldest events are deleted first, so that the log has no holes', async () => {
  const last = await append(db, acme, 20)
  await db`update events set created_at = now() - interval '40 days' + seq * interval '1 minute' where project_id = ${acme.id}`
  assert.equal(await deleteOldEvents(db, retention, 5), 5)
  const { body } = await read('after=0')
  assert.deepEqual([body.oldest_seq, body.items.length], [last - 14, 15])
  assert.equal(await deleteOldEvents(db, { eventRetention: 50 * 86_400_000, readers: [] }), 0)
})

test('numbers continue after all events were deleted', async () => {
  const last = await append(db, acme, 3)
  await age(1, last, 40)
  while ((await deleteOldEvents(db, retention, 2)) > 0);
  await makeTicket(api)
  const { body } = await read(`after=${last}`)
  assert.deepEqual([body.oldest_seq, body.items[0].seq, body.gap], [last + 1, last + 1, false])
})
