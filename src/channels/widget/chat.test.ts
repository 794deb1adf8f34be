import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, limitTickets, typesOf, unique } from '../../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../../test/client.ts'
import type { Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { ask, begin, type Guest, reply, signIn, startDesk, switchOn } from '../../../test/widget.ts'
import { newId } from '../../core/ids.ts'

let server: TestServer
let omar: Person
before(async () => {
  ;({ server, omar } = await startDesk())
})
after(() => server.close())

const say = (guest: Guest, ticketId: string, body: object) =>
  guest.api.post(`/tickets/${ticketId}/messages`, body)

test('the first message creates a contact without identity and a widget ticket, and emits no contact event', async () => {
  const guest = await begin(server, server.acme, { locale: 'de-at', page_url: 'https://shop.example/' })
  const events = await eventsOf(server, () => ask(guest))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ticket.created', 'message.created'],
  )
  const { body: ticket } = await server.api.get(`/tickets/${events[0]!.data.ticket_id}`)
  assert.deepEqual(
    [ticket.channel, ticket.language, ticket.subject],
    ['widget', 'de-AT', 'Where is my order?'],
  )
  const { body: contact } = await server.api.get(`/contacts/${ticket.contact_id}`)
  assert.deepEqual([contact.source, contact.identities], ['widget', []])
  assert.partialDeepStrictEqual(events[1]!.data, {
    sender_type: 'contact',
    sender_id: contact.id,
    is_internal: false,
  })
})

test('requests with the same client_id create one message and one ticket', async () => {
  const guest = await begin(server)
  const client_id = newId()
  const body = { content: 'Once', client_id }
  const sent = await Promise.all(Array.from({ length: 8 }, () => guest.api.post('/tickets', body)))
  assert.deepEqual(sent.map(({ status }) => status).sort(), [...Array(7).fill(200), 201])
  assert.equal(new Set(sent.map(one => one.body.id)).size, 1)
  const { id } = sent[0]!.body
  const again = { content: 'Twice', client_id: newId() }
  const events = await typesOf(server, () => Promise.all([1, 2, 3].map(() => say(guest, id, again))))
  assert.deepEqual(events, ['message.created'])
  const { items } = (await guest.api.get(`/tickets/${id}/messages`)).body
  assert.deepEqual(
    items.map((one: { client_id: string }) => one.client_id),
    [client_id, again.client_id],
  )
})

test('an Idempotency-Key returns the stored response only to the visitor who sent it', async () => {
  const [one, other] = [await begin(server), await begin(server)]
  const headers = { 'idempotency-key': unique() }
  const send = (guest: Guest) => guest.api.post('/tickets', { content: 'Hello' }, { headers })
  const [first, second, third] = [await send(one), await send(one), await send(other)]
  assert.equal(second!.headers.get('idempotency-replayed'), 'true')
  assert.equal(first!.body.id, second!.body.id)
  assert.notEqual(first!.body.id, third!.body.id)
})

test('pages of messages start with the newest messages, and each page has the oldest first', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest, { content: '1' })
  for (const content of ['2', '3', '4', '5']) await say(guest, id, { content })
  const last = (await guest.api.get(`/tickets/${id}/messages?limit=2`)).body
  assert.deepEqual(
    [last.items.map((one: { preview: string }) => one.preview), last.has_more],
    [['4', '5'], true],
  )
  const rest = (await guest.api.get(`/tickets/${id}/messages?limit=3&before=${last.items[0].id}`)).body
  assert.deepEqual(
    [rest.items.map((one: { preview: string }) => one.preview), rest.has_more],
    [['1', '2', '3'], false],
  )
})

test('counts operator replies as unread until the visitor reads them', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  await reply(omar, id, 'One **moment**', { content_format: 'markdown' })
  await reply(omar, id, 'For us', { is_internal: true })
  const { body } = await guest.api.get('/tickets')
  assert.deepEqual([body.unread_count, body.items[0].unread_count], [1, 1])
  assert.partialDeepStrictEqual(body.items[0].last_message, { preview: 'One moment', sender_name: 'Omar' })
  assert.equal((await guest.api.put(`/tickets/${id}/read`)).status, 204)
  assert.equal((await guest.api.get(`/tickets/${id}`)).body.unread_count, 0)
})

test("a visitor's message sets a pending ticket to open and reopens a closed one, or starts a new ticket if it was closed days ago", async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  await reply(omar, id, 'Sent')
  const pending = await eventsOf(server, () => say(guest, id, { content: 'No' }))
  assert.partialDeepStrictEqual(pending[0]!.data, {
    status: 'open',
    previous_status: 'pending',
    cause: 'contact_reply',
  })
  await server.api.post(`/tickets/${id}/close`)
  const closed = await eventsOf(server, () => say(guest, id, { content: 'Again' }))
  assert.deepEqual(
    closed.slice(0, 2).map(({ type, data }) => [type, data]),
    [
      [
        'ticket.updated',
        { ticket_id: id, status: 'open', previous_status: 'closed', cause: 'contact_reply' },
      ],
      ['ticket.reopened', { ticket_id: id, status: 'open' }],
    ],
  )
  await server.api.post(`/tickets/${id}/close`)
  await server.db`update tickets set closed_at = now() - interval '15 days' where id = ${id}`
  const { body } = await say(guest, id, { content: 'Long after' })
  assert.notEqual(body.ticket_id, id)
  const { body: next } = await server.api.get(`/tickets/${body.ticket_id}`)
  assert.deepEqual([next.follow_up_of_id, next.status], [id, 'new'])
  assert.equal((await guest.api.get('/tickets')).body.items.length, 2)
})

test('reactions are added and removed, with an event for each', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const message = await reply(omar, id, 'Here you are')
  const at = `/tickets/${id}/messages/${message.id}/reactions/${encodeURIComponent('👍')}`
  const { contact_id } = (await server.api.get(`/tickets/${id}`)).body
  const events = await eventsOf(server, async () => {
    assert.deepEqual((await guest.api.put(at)).body.reactions, [
      { emoji: '👍', reactor_kind: 'contact', count: 1 },
    ])
    await guest.api.put(at)
    assert.deepEqual((await guest.api.delete(at)).body.reactions, [])
    await guest.api.delete(at)
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      [
        'message.reaction.added',
        { message_id: message.id, reactor_kind: 'contact', reactor_id: contact_id, emoji: '👍' },
      ],
      ['message.reaction.removed', { message_id: message.id, reactor_id: contact_id }],
    ],
  )
  assertEnvelope(await guest.api.put(at.replace(/[^/]*$/, 'x')), 422, 'VALIDATION_ERROR', {
    reason: 'no_emoji',
  })
})

test('a closed ticket can be rated, and the event has no comment', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const rate = () => guest.api.post(`/tickets/${id}/rating`, { rating: 4, comment: 'Quick' })
  assertEnvelope(await rate(), 409, 'NOT_POSSIBLE', { reason: 'not_closed' })
  await server.api.post(`/tickets/${id}/close`)
  assert.equal((await guest.api.get(`/tickets/${id}`)).body.is_rateable, true)
  const events = await eventsOf(server, rate)
  assert.deepEqual(events.find(({ type }) => type === 'ticket.rated')!.data, { ticket_id: id, rating: 4 })
  const { body } = await server.api.get(`/tickets/${id}`)
  assert.deepEqual([body.rating, body.rating_comment], [4, 'Quick'])
})

test('a blocked contact can still read, but not write', async () => {
  const guest = await signIn(server, { id: unique() })
  const { id } = await ask(guest)
  const { contact_id } = (await server.api.get(`/tickets/${id}`)).body
  await server.api.patch(`/contacts/${contact_id}`, { is_blocked: true })
  const events = await typesOf(server, async () => {
    assertEnvelope(await guest.api.post('/tickets', { content: 'x' }), 403, 'VISITOR_BLOCKED')
    assertEnvelope(await say(guest, id, { content: 'x' }), 403, 'VISITOR_BLOCKED')
  })
  assert.deepEqual(events, [])
  assert.equal((await guest.api.get(`/tickets/${id}/messages`)).status, 200)
})

test('the questions before the first message are required, and the answers are stored in the contact and in custom fields', async context => {
  const field = (key: string, is_required = false) => ({ key, type: 'text', labels: {}, is_required })
  const prechat_fields = [field('name', true), field('email', true), field('order_number')]
  await switchOn(server, server.acme, { prechat_fields })
  context.after(() => switchOn(server, server.acme))
  const guest = await begin(server)
  const refusedFor = async (fields: object, field: string, reason: string) =>
    assertEnvelope(await guest.api.post('/tickets', { content: 'x', fields }), 422, 'VALIDATION_ERROR', {
      field,
      reason,
    })
  await refusedFor({}, 'fields.name', 'required')
  await refusedFor({ name: 'Vera', email: 'nothing' }, 'fields.email', 'not_an_email')
  const email = `${unique()}@example.com`
  const { id } = await ask(guest, { fields: { name: 'Vera', email, order_number: '42', unknown: 'x' } })
  const { body } = await server.api.get(`/tickets/${id}`)
  assert.deepEqual(
    [body.contact.full_name, body.contact.email, body.custom_fields],
    ['Vera', email, { order_number: '42' }],
  )
  assert.equal((await guest.api.post('/tickets', { content: 'Once more' })).status, 201)
})

test('refuses messages that are empty, too long, or have too many files', async () => {
  const guest = await begin(server)
  assertEnvelope(await guest.api.post('/tickets', { content: '  ' }), 422, 'MESSAGE_EMPTY')
  assertProblems(await guest.api.post('/tickets', { content: 'x'.repeat(10_001) }), 'body.content')
  assertProblems(
    await guest.api.post('/tickets', { content: 'x', media_ids: Array(11).fill(newId()) }),
    'body.media_ids',
  )
  const big = await guest.api.post('/tickets', undefined, { raw: `"${'x'.repeat(1_100_000)}"` })
  assertEnvelope(big, 413, 'PAYLOAD_TOO_LARGE')
})

test('at the ticket limit of the plan, new tickets are refused but messages to existing tickets are accepted', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  await limitTickets(server.db, server.acme, 1)
  assertEnvelope(await guest.api.post('/tickets', { content: 'x' }), 403, 'TICKET_LIMIT_REACHED')
  assert.equal((await say(guest, id, { content: 'x' })).status, 201)
})
