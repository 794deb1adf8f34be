import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { briefs } from '../../src/core/errors.ts'
import { createKey, deleteKey, disableKey } from '../../src/keys/keys.ts'
import { createProject, resumeProject, suspendProject } from '../../src/projects/projects.ts'
import { limitTickets, makeContact, makeFile, makeMessage, makeTicket, nobody, unique } from '../cast.ts'
import { assertBrief, assertEnvelope, assertProblems, createClient } from '../client.ts'
import { startServer } from '../server.ts'
import { upload } from '../upload.ts'

/** Spec 7.1, row by row. Rows that need their own server or a broken storage are tested beside the code. */

const server = await startServer({ delivers: false })
const { api, outsider, stranger, db, url, acme, rival } = server
after(() => server.close())

const contact = () => ({ email: `${unique()}@example.com` })

test('spec 7.1 200: reads, PATCH, close, reopen, rate, a repeated message, and a webhook test', async () => {
  const { id } = await makeTicket(api)
  const webhook = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body
  const { external_id } = await makeMessage(api, id, { external_id: unique() })
  const answers = [
    await api.get(`/tickets/${id}`),
    await api.patch(`/tickets/${id}`, { priority: 'high' }),
    await api.post(`/tickets/${id}/close`),
    await api.post(`/tickets/${id}/reopen`),
    await api.post(`/tickets/${id}/rate`, { rating: 3 }),
    await api.post(`/tickets/${id}/messages`, { content: 'Again', external_id }),
    await api.post(`/webhooks/${webhook.id}/test`),
  ]
  assert.deepEqual(
    answers.map(answer => answer.status),
    Array(7).fill(200),
  )
})

test('spec 5.1: the root of the API requires a key too', async () => {
  for (const path of ['', '/', '?x=1']) assertBrief(await stranger.get(path), 401)
  for (const path of ['', '/']) assertBrief(await api.get(path), 404)
})

test('spec 7.1 201: POST tickets, messages, contacts (an existing one too), webhooks and files', async () => {
  const person = contact()
  const ticket = await api.post('/tickets', { contact: person })
  const answers = [
    ticket,
    await api.post(`/tickets/${ticket.body.id}/messages`, { content: 'x' }),
    await api.post('/contacts', person),
    await api.post('/contacts', contact()),
    await api.post('/webhooks', { url: 'http://127.0.0.1:9/' }),
    await upload(api, { content: 'x' }),
  ]
  assert.deepEqual(
    answers.map(answer => answer.status),
    Array(6).fill(201),
  )
})

test('spec 7.1 204: DELETE webhook, without a body', async () => {
  const { id } = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body
  const answer = await api.delete(`/webhooks/${id}`)
  assert.deepEqual([answer.status, answer.text], [204, ''])
})

test('spec 7.1 400: POST tickets or contacts with neither telegram_id nor email', async () => {
  assertBrief(await api.post('/tickets', { contact: {} }), 400)
  assertBrief(await api.post('/contacts', {}), 400)
})

test('spec 7.1 401: a missing header, a wrong, disabled or deleted key, or a suspended project', async () => {
  const { id: project } = await createProject(db, { name: 'Own' })
  const [working, disabled, deleted] = await Promise.all([1, 2, 3].map(() => createKey(db, project, 'Own')))
  await disableKey(db, disabled!.id)
  await deleteKey(db, deleted!.id)
  await suspendProject(db, project)
  const keys = ['sk_wrong', acme.key.key.slice(3), disabled!.key, deleted!.key, working!.key]
  const invalid = await Promise.all(keys.map(key => createClient(url, key).get('/tickets')))
  const missing = await stranger.get('/tickets')
  for (const answer of invalid) assertBrief(answer, 401, briefs.key_invalid[1])
  assertBrief(missing, 401, briefs.key_missing[1])
  for (const { headers } of [...invalid, missing]) assert.equal(headers.get('www-authenticate'), 'Bearer')
  await resumeProject(db, project)
  assert.equal((await createClient(url, working!.key).get('/tickets')).status, 200)
})

test('spec 7.1 403 TICKET_LIMIT_REACHED: a ticket above the monthly limit of the plan', async () => {
  await limitTickets(db, rival, 0)
  assertEnvelope(await outsider.post('/tickets', { contact: contact() }), 403, 'TICKET_LIMIT_REACHED')
  assert.equal((await api.post('/tickets', { contact: contact() })).status, 201)
})

test('spec 7.1 403 blocked contact: a ticket for a blocked contact', async () => {
  const person = await makeContact(api)
  await api.patch(`/contacts/${person.id}`, { is_blocked: true })
  assertEnvelope(await api.post('/tickets', { contact: { email: person.email } }), 403, 'CONTACT_BLOCKED')
})

test('spec 7.1 404: ticket, contact, message and article with the envelope, webhook and file with the brief form', async () => {
  assertEnvelope(await api.get(`/tickets/${nobody}`), 404, 'TICKET_NOT_FOUND', null)
  assertEnvelope(await api.get(`/contacts/${nobody}`), 404, 'CONTACT_NOT_FOUND', null)
  assertEnvelope(await api.get(`/messages/${nobody}`), 404, 'MESSAGE_NOT_FOUND', null)
  assertEnvelope(await api.get(`/knowledge-base/articles/${nobody}`), 404, 'ARTICLE_NOT_FOUND', null)
  assertBrief(await api.get(`/webhooks/${nobody}`), 404, 'Webhook not found')
  assertBrief(await api.get(`/media/${nobody}`), 404, 'File not found')
})

test('spec 7.1 409 TICKET_ALREADY_CLOSED: closing a closed ticket', async () => {
  const { id } = await makeTicket(api, { status: 'closed' })
  assertEnvelope(await api.post(`/tickets/${id}/close`), 409, 'TICKET_ALREADY_CLOSED', null)
})

test('spec 7.1 422 schema: unknown status or priority, wrong type, missing field, page_size above the maximum', async () => {
  assertProblems(await api.post('/tickets', { contact: contact(), status: 'gone' }), 'body.status')
  assertProblems(await api.post('/tickets', { contact: contact(), priority: 'gone' }), 'body.priority')
  assertProblems(await api.post('/tickets', { contact: contact(), subject: 1 }), 'body.subject')
  assertProblems(await api.post('/tickets', {}), 'body.contact')
  assertProblems(await api.get('/tickets?page_size=101'), 'query.page_size')
})

test("spec 7.1 422 VALIDATION_ERROR: another project's file, an unknown event, editing a system message", async () => {
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

test('spec 7.1 422 MESSAGE_EMPTY: a message without content', async () => {
  const { id } = await makeTicket(api)
  assertEnvelope(await api.post(`/tickets/${id}/messages`, {}), 422, 'MESSAGE_EMPTY')
})

test('spec 7.1 422 TICKET_INVALID_STATUS_TRANSITION: a change of status that is not allowed', async () => {
  const { id } = await makeTicket(api, { status: 'open' })
  assertEnvelope(
    await api.patch(`/tickets/${id}`, { status: 'new' }),
    422,
    'TICKET_INVALID_STATUS_TRANSITION',
  )
})

test('spec 7.1 500: an unexpected error has the envelope and reveals no internals', async () => {
  const { id } = await makeTicket(api)
  await db`alter table tickets rename column rating to stars`
  const answer = await api.post(`/tickets/${id}/rate`, { rating: 5 })
  await db`alter table tickets rename column stars to rating`
  assertEnvelope(answer, 500, 'INTERNAL_ERROR', null)
  assert.doesNotMatch(answer.text, /rating|column|sql|at \//i)
  assert.equal((await api.post(`/tickets/${id}/rate`, { rating: 5 })).status, 200)
})
