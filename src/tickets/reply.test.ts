import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeFile, makeMessage, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { sendDueMessages } from './tickets.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

type Fields = Record<string, unknown>

const reply = (ticket: { id: string }, fields: Fields = {}, who = omar) =>
  who.api.post(`/tickets/${ticket.id}/messages`, { content: 'Hello', ...fields })

const read = async (ticket: { id: string }) => (await api.get(`/tickets/${ticket.id}`)).body

test('a reply has its writer as the sender, sets the ticket to pending and assigns it to the writer', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, async () => {
    const { status, body } = await reply(ticket)
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, {
      sender_type: 'operator',
      sender_id: omar.id,
      sender_name: 'Omar',
      newer_messages: [],
    })
  })
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message.created', 'ticket.updated', 'ticket.assigned', 'message.created'],
  )
  assert.deepEqual(events[1]!.data, {
    ticket_id: ticket.id,
    status: 'pending',
    previous_status: 'new',
    cause: 'operator_reply',
  })
  assert.deepEqual(events[2]!.data, {
    ticket_id: ticket.id,
    operator_id: omar.id,
    operator_name: 'Omar',
    operator_avatar_url: null,
    status: 'pending',
  })
  assert.partialDeepStrictEqual(events[3]!.data, { sender_type: 'system', is_internal: true })
  const { operator_id, status, first_reply_at } = await read(ticket)
  assert.deepEqual([operator_id, status], [omar.id, 'pending'])
  assert.notEqual(first_reply_at, null)
})

test('a note neither changes the status nor assigns the ticket', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, () => reply(ticket, { is_internal: true }))
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.is_internal]),
    [['message.created', true]],
  )
  assert.partialDeepStrictEqual(await read(ticket), { operator_id: null, status: 'new' })
})

test('an assigned ticket keeps its operator when another one replies', async () => {
  const ticket = await makeTicket(api, { operator_id: olga.id, status: 'pending' })
  const events = await eventsOf(server, () => reply(ticket))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message.created'],
  )
  assert.equal((await read(ticket)).operator_id, olga.id)
})

test("the project's settings decide the status after a reply, and the writer can override them", async () => {
  assertEnvelope(await omar.api.patch('/inbox-settings', { after_reply: 'close' }), 403, 'ROLE_REQUIRED')
  const { body } = await olga.api.patch('/inbox-settings', { after_reply: 'close', assigns_on_reply: false })
  assert.partialDeepStrictEqual(body, { after_reply: 'close', assigns_on_reply: false })
  const [open, held, left] = await Promise.all([
    makeTicket(api, { status: 'open' }),
    makeTicket(api, { status: 'on_hold' }),
    makeTicket(api),
  ])
  const events = await eventsOf(server, () => reply(open))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message.created', 'ticket.updated', 'ticket.closed', 'message.created'],
  )
  assert.partialDeepStrictEqual(await read(open), {
    status: 'closed',
    operator_id: null,
    closed_by: { type: 'operator', id: omar.id },
  })
  await reply(held)
  await reply(left, { after_reply: 'leave' })
  assert.deepEqual([(await read(held)).status, (await read(left)).status], ['on_hold', 'new'])
  await reply(held, { after_reply: 'close' })
  assert.equal((await read(held)).status, 'closed')
  const back = { after_reply: 'pending', assigns_on_reply: true }
  assert.partialDeepStrictEqual((await olga.api.patch('/inbox-settings', back)).body, back)
  const [entry] = (await olga.api.get('/audit?action=inbox')).body.items
  assert.deepEqual([entry.author_name, entry.detail], ['Olga', back])
})

test('a reply to a closed ticket leaves it closed', async () => {
  const ticket = await makeTicket(api, { status: 'closed', operator_id: omar.id })
  await reply(ticket)
  assert.equal((await read(ticket)).status, 'closed')
})

test('a reply that can be undone waits, and changes the ticket when it is sent', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, async () => {
    const { body } = await reply(ticket, { undo_seconds: 30, after_reply: 'close' })
    assert.equal(body.delivery.status, 'scheduled')
    await db`update messages set send_at = now() - interval '1 s' where id = ${body.id}`
    assert.equal((await read(ticket)).status, 'new')
    await Promise.all([1, 2, 3].map(() => sendDueMessages(db, server.acme.id)))
  })
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'message.created',
      'ticket.updated',
      'ticket.assigned',
      'message.created',
      'ticket.closed',
      'message.created',
    ],
  )
  assert.partialDeepStrictEqual(await read(ticket), { status: 'closed', operator_id: omar.id })
})

test('two simultaneous replies assign the ticket once', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, () => Promise.all([reply(ticket), reply(ticket, {}, olga)]))
  const assigned = events.filter(({ type }) => type === 'ticket.assigned')
  assert.equal(assigned.length, 1)
  assert.equal((await read(ticket)).operator_id, assigned[0]!.data.operator_id)
})

test('a reply with a used external_id is not posted again, and files are attached to the reply', async () => {
  const ticket = await makeTicket(api)
  const fields = { external_id: unique(), media_ids: [await makeFile(db, acme)], content: '' }
  const first = await reply(ticket, fields)
  const events = await eventsOf(server, async () => {
    const again = await reply(ticket, fields)
    assert.deepEqual([again.status, again.body.id], [200, first.body.id])
  })
  assert.deepEqual(events, [])
  assert.equal(first.body.media.length, 1)
})

test('newer messages of others are returned with the reply, or prevent it with unless_newer', async () => {
  const ticket = await makeTicket(api)
  const seen = await makeMessage(api, ticket.id)
  const note = (await reply(ticket, { is_internal: true }, olga)).body
  const own = (await reply(ticket, { is_internal: true })).body
  const last_seen_message_id = seen.id
  const events = await eventsOf(server, async () => {
    const refused = await reply(ticket, { last_seen_message_id, unless_newer: true })
    assertEnvelope(refused, 409, 'NEWER_MESSAGES')
    assert.deepEqual(
      refused.body.detail.messages.map((message: { id: string }) => message.id),
      [note.id],
    )
  })
  assert.deepEqual(events, [])
  const posted = await reply(ticket, { last_seen_message_id })
  assert.deepEqual([posted.status, posted.body.newer_messages.length], [201, 1])
  const seenAll = { last_seen_message_id: own.id, unless_newer: true }
  assert.equal((await reply(ticket, seenAll)).status, 201)
  assertEnvelope(await reply(ticket, { last_seen_message_id: nobody }), 422, 'VALIDATION_ERROR', {
    field: 'last_seen_message_id',
  })
})

test('of two simultaneous replies with unless_newer, only one is posted', async () => {
  for (let round = 0; round < 5; round++) {
    const ticket = await makeTicket(api, { content: 'Help' })
    const { items } = (await api.get(`/tickets/${ticket.id}/messages`)).body
    const fields = { last_seen_message_id: items[0].id, unless_newer: true }
    const answers = await Promise.all([reply(ticket, fields), reply(ticket, fields, olga)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  }
})

test('Rival cannot reply to a ticket of Acme, and has its own settings', async () => {
  const ticket = await makeTicket(api)
  assertEnvelope(await reply(ticket, {}, rita), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(
    await rita.of(acme).post(`/tickets/${ticket.id}/messages`, { content: 'x' }),
    404,
    'PROJECT_NOT_FOUND',
  )
  const theirs = await makeFile(db, server.rival)
  assertEnvelope(await reply(ticket, { media_ids: [theirs] }), 422, 'VALIDATION_ERROR', {
    field: 'media_ids',
  })
  assert.equal((await read(ticket)).messages_count, 0)
  assert.partialDeepStrictEqual((await rita.api.get('/inbox-settings')).body, {
    after_reply: 'pending',
    assigns_on_reply: true,
  })
})
