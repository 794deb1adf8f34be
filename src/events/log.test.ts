import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventsOf,
  lastSeq,
  listEvents,
  makeContact,
  makeMessage,
  makeTicket,
  nobody,
  unique,
} from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { transact } from './transaction.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const contact = () => ({ email: `${unique()}@example.com` })

/** Asserts that every number from `first` occurs exactly once. */
function assertDense(seqs: number[], first: number): void {
  assert.deepEqual(
    seqs,
    seqs.map((_, at) => first + at),
  )
}

const rated = (ticket_id: string) => ({ type: 'ticket.rated', data: { ticket_id, rating: 5 } }) as const

test('refused operations write no event', async () => {
  const closed = await makeTicket(api, { status: 'closed' })
  const person = await makeContact(api)
  await api.patch(`/contacts/${person.id}`, { is_blocked: true })
  const refused: [number, () => Promise<{ status: number }>][] = [
    [401, () => server.stranger.post('/tickets', { contact: contact() })],
    [400, () => api.post('/tickets', { contact: {} })],
    [403, () => api.post('/tickets', { contact: { email: person.email } })],
    [404, () => api.post(`/tickets/${nobody}/messages`, { content: 'x' })],
    [404, () => outsider.post(`/tickets/${closed.id}/rate`, { rating: 1 })],
    [409, () => api.post(`/tickets/${closed.id}/close`)],
    [412, () => api.patch(`/tickets/${closed.id}`, { subject: 'x' }, { headers: { 'if-match': '"77"' } })],
    [422, () => api.patch(`/tickets/${closed.id}`, { status: 'open' })],
    [422, () => api.post('/tickets', { contact: contact(), content: 'x', operator_id: nobody })],
    [422, () => api.post(`/tickets/${closed.id}/messages`, { content: ' ' })],
    [422, () => api.post(`/tickets/${closed.id}/rate`, { rating: 9 })],
  ]
  for (const [status, call] of refused) {
    const events = await eventsOf(server, async () => assert.equal((await call()).status, status))
    assert.deepEqual(events, [])
  }
})

test('reading emits no event', async () => {
  const ticket = await makeTicket(api, { content: 'x' })
  const events = await eventsOf(server, async () => {
    for (const path of ['/tickets', `/tickets/${ticket.id}`, `/tickets/${ticket.id}/messages`, '/contacts']) {
      await api.get(path)
    }
  })
  assert.deepEqual(events, [])
})

test('a transaction that fails leaves no change, no event and no gap', async () => {
  const ticket = await makeTicket(api)
  const before = await lastSeq(db, acme)
  const failing = transact(db, acme.id, async tx => {
    await tx`update tickets set subject = 'Never' where id = ${ticket.id}`
    tx.emit(rated(ticket.id))
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.subject, ticket.subject)
  assert.equal(await lastSeq(db, acme), before)
  await makeTicket(api)
  assert.equal(await lastSeq(db, acme), before + 1)
})

test('if the commit fails, the event and its number are rolled back', async () => {
  const ticket = await makeTicket(api)
  const before = await lastSeq(db, acme)
  const failing = transact(db, acme.id, async tx => {
    // The foreign key of an identity is checked only at the commit.
    await tx`insert into contact_identities (project_id, type, value, contact_id, is_primary)
      values (${acme.id}, 'external', ${unique()}, ${nobody}, true)`
    tx.emit(rated(ticket.id))
  })
  await assert.rejects(failing)
  assert.equal(await lastSeq(db, acme), before)
})

/** Holds a transaction open for some milliseconds, in the database; every fifth one is rolled back. */
async function write(ticketId: string, at: number): Promise<void> {
  const writing = transact(db, acme.id, async tx => {
    await tx`select pg_sleep(${(at % 7) / 200})`
    tx.emit(rated(ticketId), rated(ticketId))
    if (at % 5 === 0) throw new Error('rolled back')
  })
  await writing.catch(error => assert.equal(error.message, 'rolled back'))
}

test('seq has no gaps under 50 concurrent writers, open transactions and rollbacks', async () => {
  const ticket = await makeTicket(api)
  const before = await lastSeq(db, acme)
  const calls = Array.from({ length: 50 }, (_, at) => {
    if (at % 2) return write(ticket.id, at)
    const wrong = at % 6 === 0 && { operator_id: nobody }
    return api.post('/tickets', { contact: contact(), content: 'x', ...wrong })
  })
  await Promise.all([...calls, ...Array.from({ length: 10 }, () => makeTicket(outsider))])
  const events = await listEvents(db, acme, before)
  assertDense(
    events.map(event => event.seq),
    before + 1,
  )
  const committed = (type: string) => events.filter(event => event.type === type).length
  assert.deepEqual([committed('ticket.created'), committed('ticket.rated')], [16, 40])
  assert.equal(committed('message.created'), 16)
})

test('a reader with a cursor never sees a later number before an earlier one', async () => {
  const ticket = await makeTicket(api)
  let cursor = await lastSeq(db, acme)
  const first = cursor + 1
  const seen: number[] = []
  let isWriting = true
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 1; at <= 10; at++) await write(ticket.id, writer + at)
    }),
  ).then(() => {
    isWriting = false
  })
  for (let isLast = false; !isLast; ) {
    isLast = !isWriting
    const events = await listEvents(db, acme, cursor)
    seen.push(...events.map(event => event.seq))
    cursor = seen.at(-1) ?? cursor
  }
  await writing
  assertDense(seen, first)
  assert.equal(cursor, await lastSeq(db, acme))
  assert.ok(seen.length > 100)
})

test('timestamps increase strictly with seq', async () => {
  for (const member of [acme, rival]) {
    const times = (await listEvents(db, member)).map(event => event.at)
    assert.ok(times.length > 5)
    assert.ok(times.every((time, at) => at === 0 || time > times[at - 1]!))
  }
})

test('timestamps increase with seq even after the clock was set back', async () => {
  await db`update project_counters set event_at = now() + interval '1 hour' where project_id = ${acme.id}`
  const before = await lastSeq(db, acme)
  await makeTicket(api, { content: 'x' })
  await makeTicket(api)
  const times = (await listEvents(db, acme, before - 1)).slice(1).map(event => event.at)
  assert.deepEqual(times, [...times].sort())
  assert.equal(new Set(times).size, 3)
})

/** The position of the counter's row, which changes when the row is updated. */
const placeOfCounter = async () =>
  (await db`select ctid::text as place from project_counters where project_id = ${acme.id}`)[0]!.place

test('an event does not update the counter of its project, and an update of the counter continues from the newest event', async () => {
  const ticket = await makeTicket(api)
  const place = await placeOfCounter()
  for (let n = 0; n < 3; n++) await makeMessage(api, ticket.id)
  assert.equal(await placeOfCounter(), place)
  const before = await lastSeq(db, acme)
  const [set] = await db`
    with counter as (
      update project_counters set event_seq = event_seq + 2 where project_id = ${acme.id} returning event_seq
    ), event as (
      insert into events (project_id, seq, id, type, data, created_at)
      select ${acme.id}, event_seq - 2 + n, gen_random_uuid(), 'ticket.rated', '{}', clock_timestamp()
      from counter, generate_series(1, 2) n
    ) select event_seq as seq from counter`
  assert.equal(set!.seq, before + 2)
  await makeMessage(api, ticket.id)
  const seqs = (await listEvents(db, acme, before)).map(event => event.seq)
  assert.equal(seqs.length, 3)
  assertDense(seqs, before + 1)
})

test('each project has a separate log that starts at 1', async () => {
  for (const member of [acme, rival]) assert.equal((await listEvents(db, member))[0]!.seq, 1)
  const rivals = await listEvents(db, rival)
  const ticket = await makeTicket(api)
  await makeMessage(api, ticket.id)
  assert.deepEqual(await listEvents(db, rival), rivals)
})

test('every event has a unique id', async () => {
  const ids = [...(await listEvents(db, acme)), ...(await listEvents(db, rival))].map(event => event.id)
  assert.equal(new Set(ids).size, ids.length)
})
