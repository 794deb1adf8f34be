import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeFile, makeMessage, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { shiftTime } from '../core/time.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const merge = async (from: { id: string }, into: { id: string }) => {
  const answer = await api.post(`/tickets/${from.id}/merge`, { into_ticket_id: into.id })
  assert.equal(answer.status, 200, answer.text)
}

/** The first ticket is merged into the second, and then the second into the third. */
async function chain() {
  const contact = { email: `${unique()}@example.com` }
  const [first, second, third] = [
    await makeTicket(api, { contact, content: 'First' }),
    await makeTicket(api, { contact, content: 'Second' }),
    await makeTicket(api, { contact, content: 'Third' }),
  ]
  await merge(first, second)
  await merge(second, third)
  return { first, second, third }
}

const post = (ticketId: string, fields: object) =>
  api.post(`/tickets/${ticketId}/messages`, { content: 'Late', ...fields })

test('a message to a merged ticket goes to the ticket in which its conversation continues', async () => {
  const { first, third } = await chain()
  const kinds = [
    {},
    { is_internal: true },
    { external_id: unique() },
    { media_ids: [await makeFile(db, acme)] },
    { send_at: '2099-01-01T00:00:00Z' },
  ]
  for (const reference of [first.id, first.short_id]) {
    for (const fields of reference === first.id ? kinds : [{}]) {
      const answer = await post(reference, fields)
      assert.deepEqual([answer.status, answer.body.ticket_id], [201, third.id], answer.text)
      assert.equal((await api.get(`/messages/${answer.body.id}`)).body.ticket_id, third.id)
    }
  }
  assert.equal((await api.get(`/tickets/${first.id}/messages`)).body.items.length, 1)
})

test('an external_id posted to a merged ticket twice is the same message', async () => {
  const { first } = await chain()
  const fields = { external_id: unique() }
  const one = await post(first.id, fields)
  const again = await post(first.id, fields)
  assert.deepEqual([one.status, again.status, again.body.id], [201, 200, one.body.id])
})

test("an external_id of a message in another ticket is refused, with that message's id", async () => {
  const external_id = unique()
  const [one, other] = [await makeTicket(api), await makeTicket(api)]
  const message = await makeMessage(api, one.id, { external_id })
  const events = await eventsOf(server, async () => {
    assertEnvelope(await post(other.id, { external_id }), 422, 'VALIDATION_ERROR', {
      field: 'external_id',
      reason: 'identifier_taken',
      message_id: message.id,
    })
  })
  assert.deepEqual(events, [])
  assert.equal((await api.get(`/tickets/${other.id}/messages`)).body.items.length, 0)
})

test('messages posted while their ticket is merged all end up in the target', async () => {
  for (let round = 0; round < 5; round++) {
    const contact = { email: `${unique()}@example.com` }
    const [from, into] = [await makeTicket(api, { contact }), await makeTicket(api, { contact })]
    const [, ...posted] = await Promise.all([
      merge(from, into),
      ...Array.from({ length: 12 }, (_, n) => post(from.id, n % 2 ? { external_id: unique() } : {})),
    ])
    assert.deepEqual([...new Set(posted.map(answer => answer.status))], [201])
    for (const { body } of posted)
      assert.equal((await api.get(`/messages/${body.id}`)).body.ticket_id, into.id)
    const { body } = await api.get(`/tickets/${into.id}`)
    assert.equal(body.messages_count, (await api.get(`/tickets/${into.id}/messages`)).body.total)
  }
})

test('a merged ticket can be neither changed nor rated, and the error names the target', async () => {
  const { second, third } = await chain()
  const refusal = { field: 'ticket_id', reason: 'merged', merged_into_id: third.id }
  const changed = await api.patch(`/tickets/${second.id}`, { subject: 'Late' })
  assertEnvelope(changed, 422, 'VALIDATION_ERROR', refusal)
  assertEnvelope(
    await api.post(`/tickets/${second.id}/rate`, { rating: 5 }),
    422,
    'VALIDATION_ERROR',
    refusal,
  )
})

test('a merge emits ticket.updated for both tickets, even if one was closed before', async () => {
  const contact = { email: `${unique()}@example.com` }
  const [from, into] = [await makeTicket(api, { contact }), await makeTicket(api, { contact })]
  await api.post(`/tickets/${from.id}/close`)
  const before = (await api.get(`/tickets/${from.id}`)).body
  const events = await eventsOf(server, () => merge(from, into))
  assert.deepEqual(
    events.filter(({ type }) => type === 'ticket.updated').map(({ data }) => data),
    [
      { ticket_id: from.id, cause: 'merged', merged_into_id: into.id },
      { ticket_id: into.id, cause: 'merged', merged_ticket_id: from.id },
    ],
  )
  const now = (await api.get(`/tickets/${from.id}`)).body
  assert.ok(now.updated_at > before.updated_at && now.version > before.version)
})

test('merging changes updated_at and version of the moved messages', async () => {
  const { first, third } = await chain()
  const { items } = (await api.get(`/messages?updated_after=${first.created_at}&page_size=100`)).body
  const moved = items.find((message: { content: string }) => message.content === 'First')
  assert.ok(moved.updated_at > moved.created_at && moved.version > 1)
  assert.equal(moved.ticket_id, third.id)
  assert.equal((await outsider.get('/messages')).body.items.length, 0)
})

test('a response stored for an Idempotency-Key has the same times as the record', async () => {
  const headers = { 'Idempotency-Key': unique() }
  const contact = await api.post('/contacts', { email: `${unique()}@example.com` }, { headers })
  const kept = (await api.get(`/contacts/${contact.body.id}`)).body
  assert.deepEqual([contact.body.created_at, contact.body.updated_at], [kept.created_at, kept.updated_at])
  const ticket = await makeTicket(api, { content: 'Hello' })
  const closed = await api.post(
    `/tickets/${ticket.id}/close`,
    {},
    { headers: { 'Idempotency-Key': unique() } },
  )
  assert.equal(closed.body.updated_at, (await api.get(`/tickets/${ticket.id}`)).body.updated_at)
  const events = await eventsOf(server, () =>
    api.post(`/tickets/${ticket.id}/reopen`, {}, { headers: { 'Idempotency-Key': unique() } }),
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ticket.reopened', 'message.created'],
  )
})

test('editing the last message changes updated_at of its ticket', async () => {
  const ticket = await makeTicket(api)
  const message = await makeMessage(api, ticket.id, { content: 'one' })
  const before = (await api.get(`/tickets/${ticket.id}`)).body
  await api.patch(`/messages/${message.id}`, { content: 'two' })
  const now = (await api.get(`/tickets/${ticket.id}`)).body
  assert.equal(now.last_message.preview, 'two')
  assert.ok(now.updated_at > before.updated_at)
})

test('repeating a message returns the first one, even if others have written since', async () => {
  const ticket = await makeTicket(api)
  const seen = await makeMessage(api, ticket.id)
  const fields = { external_id: unique(), unless_newer: true, last_seen_message_id: seen.id }
  const first = await post(ticket.id, fields)
  assert.equal(first.status, 201, first.text)
  await db`update messages set key_id = null, sender_id = ${ticket.contact_id}, sender_type = 'contact' where id = ${
    (await makeMessage(api, ticket.id, { content: 'Meanwhile' })).id
  }`
  const again = await post(ticket.id, fields)
  assert.deepEqual([again.status, again.body.id], [200, first.body.id])
  assert.equal((await post(ticket.id, { ...fields, external_id: unique() })).status, 422)
})

test('a process whose clock is ahead writes no updated_at in the future', async () => {
  const ticket = await makeTicket(api)
  shiftTime(3_600_000)
  let message: { id: string }
  try {
    message = await makeMessage(api, ticket.id, { external_id: unique() })
    await makeMessage(api, ticket.id)
  } finally {
    shiftTime(0)
  }
  const soon = new Date(Date.now() + 10_000).toISOString()
  assert.ok((await api.get(`/messages/${message.id}`)).body.updated_at < soon)
  assert.ok((await api.get(`/tickets/${ticket.id}`)).body.updated_at < soon)
})
