import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { limitTickets, makeContact, makeFile, makeMessage, makeTicket, nobody, unique } from '../cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../client.ts'
import { startServer } from '../server.ts'

/** Spec 4.2 and 7.1, row by row. */

const server = await startServer({ delivers: false })
const { api, outsider, stranger, db, acme, rival } = server
after(() => server.close())

const contact = () => ({ email: `${unique()}@example.com` })

test('spec 7.1, 200: reads, PATCH, closing, reopening and rating a ticket', async () => {
  const { id } = await makeTicket(api)
  const answers = [
    await api.get(`/tickets/${id}`),
    await api.patch(`/tickets/${id}`, { priority: 'high' }),
    await api.post(`/tickets/${id}/close`),
    await api.post(`/tickets/${id}/reopen`),
    await api.post(`/tickets/${id}/rate`, { rating: 3 }),
  ]
  assert.deepEqual(
    answers.map(answer => answer.status),
    Array(5).fill(200),
  )
})

test('spec 5.1: the address of the API itself asks for a key too', async () => {
  for (const path of ['', '/', '?x=1']) assertBrief(await stranger.get(path), 401)
  for (const path of ['', '/']) assertBrief(await api.get(path), 404)
})

test('spec 7.1, 201: POST tickets, messages, contacts (an existing one too) and webhooks', async () => {
  const person = contact()
  const ticket = await api.post('/tickets', { contact: person })
  const answers = [
    ticket,
    await api.post(`/tickets/${ticket.body.id}/messages`, { content: 'x' }),
    await api.post('/contacts', person),
    await api.post('/contacts', contact()),
    await api.post('/webhooks', { url: 'http://127.0.0.1:9/' }),
  ]
  assert.deepEqual(
    answers.map(answer => answer.status),
    Array(5).fill(201),
  )
})

test('spec 7.1, 204: DELETE webhook, without a body', async () => {
  const { id } = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body
  const answer = await api.delete(`/webhooks/${id}`)
  assert.deepEqual([answer.status, answer.text], [204, ''])
})

test('spec 7.1, 400: POST tickets or contacts with neither telegram_id nor email', async () => {
  assertBrief(await api.post('/tickets', { contact: {} }), 400)
  assertBrief(await api.post('/contacts', {}), 400)
})

test('spec 7.1, 401: carries WWW-Authenticate: Bearer', async () => {
  for (const options of [{}, { headers: { authorization: 'Bearer sk_wrong' } }]) {
    const answer = await stranger.get('/tickets', options)
    assertBrief(answer, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }
})

test('spec 7.1, 403: TICKET_LIMIT_REACHED, and a blocked contact', async () => {
  const person = await makeContact(api)
  await api.patch(`/contacts/${person.id}`, { is_blocked: true })
  assertEnvelope(await api.post('/tickets', { contact: { email: person.email } }), 403, 'CONTACT_BLOCKED')
  await limitTickets(db, rival, 0)
  assertEnvelope(await outsider.post('/tickets', { contact: contact() }), 403, 'TICKET_LIMIT_REACHED')
})

test('spec 7.1, 404: ticket, contact and message in the envelope, webhook in the brief form', async () => {
  assertEnvelope(await api.get(`/tickets/${nobody}`), 404, 'TICKET_NOT_FOUND', null)
  assertEnvelope(await api.get(`/contacts/${nobody}`), 404, 'CONTACT_NOT_FOUND', null)
  assertEnvelope(await api.get(`/messages/${nobody}`), 404, 'MESSAGE_NOT_FOUND', null)
  assertBrief(await api.get(`/webhooks/${nobody}`), 404, 'Webhook not found')
})

test('spec 7.1, 409: TICKET_ALREADY_CLOSED', async () => {
  const { id } = await makeTicket(api, { status: 'closed' })
  assertEnvelope(await api.post(`/tickets/${id}/close`), 409, 'TICKET_ALREADY_CLOSED', null)
})

test('spec 7.1, 422 list: unknown status or priority, wrong type, missing field, page_size above the maximum', async () => {
  assertProblems(await api.post('/tickets', { contact: contact(), status: 'gone' }), 'body.status')
  assertProblems(await api.post('/tickets', { contact: contact(), priority: 'gone' }), 'body.priority')
  assertProblems(await api.post('/tickets', { contact: contact(), subject: 1 }), 'body.subject')
  assertProblems(await api.post('/tickets', {}), 'body.contact')
  assertProblems(await api.get('/tickets?page_size=101'), 'query.page_size')
})

test("spec 7.1, 422 VALIDATION_ERROR: another project's file, an unknown event, editing a system message", async () => {
  const { id } = await makeTicket(api)
  const media_ids = [await makeFile(db, rival)]
  const file = await api.post(`/tickets/${id}/messages`, { content: 'x', media_ids })
  assertEnvelope(file, 422, 'VALIDATION_ERROR', { field: 'media_ids' })
  const event = await api.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['ticket.eaten'] })
  assertEnvelope(event, 422, 'VALIDATION_ERROR')
  assert.deepEqual(event.body.detail.unknown, ['ticket.eaten'])
  assert.equal(event.body.detail.valid.length, 24)
  await api.post(`/tickets/${id}/close`)
  const [system] = (await api.get(`/tickets/${id}/messages?sender_type=system`)).body.items
  const edit = await api.patch(`/messages/${system.id}`, { content: 'x' })
  assertEnvelope(edit, 422, 'VALIDATION_ERROR', { field: 'message_id', reason: 'system_message' })
})

test('spec 7.1, 422 MESSAGE_EMPTY', async () => {
  const { id } = await makeTicket(api)
  assertEnvelope(await api.post(`/tickets/${id}/messages`, {}), 422, 'MESSAGE_EMPTY')
})

test('spec 7.1, 422 TICKET_INVALID_STATUS_TRANSITION', async () => {
  const { id } = await makeTicket(api, { status: 'open' })
  assertEnvelope(
    await api.patch(`/tickets/${id}`, { status: 'new' }),
    422,
    'TICKET_INVALID_STATUS_TRANSITION',
  )
})

test('spec 7.1, 500: an unexpected error is the envelope and tells nothing of the inside', async () => {
  const { id } = await makeTicket(api)
  await db`alter table tickets rename column rating to stars`
  const answer = await api.post(`/tickets/${id}/rate`, { rating: 5 })
  await db`alter table tickets rename column stars to rating`
  assertEnvelope(answer, 500, 'INTERNAL_ERROR', null)
  assert.doesNotMatch(answer.text, /rating|column|sql|at \//i)
  assert.equal((await api.post(`/tickets/${id}/rate`, { rating: 5 })).status, 200)
})

test('spec 4.2: PATCH emits ticket.updated with only ticket_id and workspace_id', async () => {
  const { id } = await makeTicket(api)
  await api.patch(`/tickets/${id}`, { status: 'pending' })
  const [event] =
    await db`select data::text from events where type = 'ticket.updated' and data->>'ticket_id' = ${id}`
  assert.deepEqual(JSON.parse(event!.data), { ticket_id: id, workspace_id: acme.id })
})

test('spec 6.6: a message through the API is from the bot, with the project as sender', async () => {
  const { sender_type, sender_id } = await makeMessage(api, (await makeTicket(api)).id)
  assert.deepEqual([sender_type, sender_id], ['bot', acme.id])
})
