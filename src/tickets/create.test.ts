import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventsOf,
  limitTickets,
  makeContact,
  makeDepartment,
  makeFile,
  makeOperator,
  makeTicket,
  nobody,
  typesOf,
  unique,
} from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { createProject } from '../projects/projects.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const contact = () => ({ email: `${unique()}@example.com` })
const recordTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/

test('spec 4.2 POST tickets 201: a new ticket has the default values', async () => {
  const { status, body } = await api.post('/tickets', { contact: { email: 'ann@example.com' } })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, {
    ...{ workspace_id: acme.id, subject: 'New request', status: 'new', priority: 'normal', channel: 'api' },
    ...{ operator_id: null, operator: null, department_id: null, department_name: null },
    ...{ custom_fields: {}, external_id: null, is_spam: false, rating: null, rating_comment: null },
    ...{ messages_count: 0, last_message: null, first_reply_at: null, snoozed_until: null, version: 1 },
    ...{ closed_at: null, closed_by: null, resolution_secs: null, reopened_count: 0, rated_at: null },
    ...{ merged_into_id: null, follow_up_of_id: null },
    sla: { first_reply_due_at: null, next_reply_due_at: null, resolution_due_at: null },
  })
  assert.deepEqual([body.tags, body.sla.breached], [[], []])
  assert.match(body.created_at, recordTime)
  assert.match(body.updated_at, recordTime)
  assert.match(body.short_id, /^\d+$/)
})

test('a ticket links to itself, its messages and its contact, and every link works', async () => {
  const ticket = await makeTicket(api)
  const self = `/api/v1/tickets/${ticket.id}`
  const contact = `/api/v1/contacts/${ticket.contact_id}`
  assert.deepEqual(ticket._links, { self, ticket: self, messages: `${self}/messages`, contact })
  for (const link of Object.values(ticket._links as object)) {
    assert.equal((await api.get(link.slice('/api/v1'.length))).status, 200, link)
  }
})

test('a ticket has all the values that were sent', async () => {
  const [operator, department] = [await makeOperator(db, acme), await makeDepartment(db, acme)]
  const sent = {
    ...{ subject: 'Cannot pay', status: 'open', priority: 'urgent', tags: ['vip', 'eu'], external_id: 'A-1' },
    ...{ custom_fields: { order: 'A-17', n: 2 }, operator_id: operator.id, department_id: department.id },
  }
  const person = {
    email: 'Bea@Example.com',
    telegram_id: 4242,
    full_name: 'Bea',
    phone: '+1',
    language: 'en',
  }
  const ticket = await makeTicket(api, { ...sent, contact: person })
  assert.partialDeepStrictEqual(ticket, { ...sent, department_name: 'Billing', language: 'en' })
  assert.deepEqual(ticket.operator, { id: operator.id, name: 'Omar', avatar_url: null })
  assert.partialDeepStrictEqual(ticket.contact, {
    ...{ id: ticket.contact_id, full_name: 'Bea', telegram_id: 4242, phone: '+1', is_blocked: false },
    avatar_url: null,
  })
  assert.deepEqual((await api.get(`/tickets/${ticket.id}`)).body, ticket)
})

test("content becomes the contact's first message, and the subject if none is sent", async () => {
  const ticket = await makeTicket(api, {
    contact: { ...contact(), full_name: 'Cy' },
    content: 'x'.repeat(200),
  })
  assert.equal(ticket.subject, 'x'.repeat(80))
  assert.equal((await makeTicket(api, { content: '😀'.repeat(100) })).subject, '😀'.repeat(80))
  assert.equal((await makeTicket(api, { content: ' Where\n\nis  it? ' })).subject, 'Where is it?')
  const { items } = (await api.get(`/tickets/${ticket.id}/messages`)).body
  assert.equal(items.length, 1)
  assert.partialDeepStrictEqual(items[0], {
    ...{ sender_type: 'contact', sender_id: ticket.contact_id, sender_name: 'Cy', content: 'x'.repeat(200) },
    is_internal: false,
  })
  assert.partialDeepStrictEqual(ticket, {
    messages_count: 1,
    last_message: { id: items[0].id, sender_type: 'contact' },
    last_contact_message_at: items[0].created_at,
  })
})

test('a file is attached to the first message', async () => {
  const file = await makeFile(db, acme)
  const ticket = await makeTicket(api, { media_ids: [file] })
  const { items } = (await api.get(`/tickets/${ticket.id}/messages`)).body
  assert.deepEqual([items[0].content, items[0].media[0].id], ['', file])
})

test('creating a ticket emits ticket.created, and message.created if there is a message', async () => {
  assert.deepEqual(await typesOf(server, () => makeTicket(api)), ['ticket.created'])
  const types = await typesOf(server, () => makeTicket(api, { content: 'Hello' }))
  assert.deepEqual(types, ['ticket.created', 'message.created'])
})

test('creating a ticket for an operator emits ticket.assigned after ticket.created', async () => {
  const { id, name } = await makeOperator(db, acme)
  const fields = { operator_id: id, status: 'open', content: 'Hello' }
  const events = await eventsOf(server, () => makeTicket(api, fields))
  const [created, assigned] = events
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ticket.created', 'ticket.assigned', 'message.created'],
  )
  const { ticket_id } = created!.data
  const operator = { operator_id: id, operator_name: name, operator_avatar_url: null }
  assert.deepEqual(assigned!.data, { ticket_id, ...operator, status: 'open' })
})

test('the same e-mail address in any case finds the same contact', async () => {
  const email = `${unique()}@example.com`
  const first = await makeTicket(api, { contact: { email } })
  const second = await makeTicket(api, { contact: { email: email.toUpperCase() } })
  assert.equal(second.contact_id, first.contact_id)
})

test('contacts are looked up in the same project only', async () => {
  const email = `${unique()}@example.com`
  const ours = await makeTicket(api, { contact: { email } })
  const theirs = await makeTicket(outsider, { contact: { email } })
  assert.notEqual(theirs.contact_id, ours.contact_id)
  assert.equal((await outsider.get(`/tickets/${ours.id}`)).status, 404)
})

test('a ticket that is created closed emits ticket.closed after ticket.created and its message', async () => {
  const events = await eventsOf(server, () => makeTicket(api, { status: 'closed', content: 'Imported' }))
  const types = events.map(({ type }) => type)
  assert.deepEqual(types, ['ticket.created', 'message.created', 'ticket.closed'])
  const { closed_at } = (await api.get(`/tickets/${events[0]!.data.ticket_id}`)).body
  const ticket_id = events[0]!.data.ticket_id
  assert.deepEqual(events[2]!.data, { ticket_id, closed_at, resolution_secs: 0 })
})

test('a ticket can be created in any status, and has closed_at only if it is closed', async () => {
  for (const status of ['new', 'open', 'pending', 'on_hold', 'closed']) {
    const ticket = await makeTicket(api, { status })
    assert.equal(ticket.status, status)
    assert.equal(ticket.closed_at !== null, status === 'closed')
  }
})

test('spec 4.2 POST tickets 422: a missing contact, an unknown status and an unknown priority are schema mismatches', async () => {
  assertProblems(await api.post('/tickets', {}), 'body.contact:missing')
  assertProblems(await api.post('/tickets', { contact: 'ann' }), 'body.contact:dict_type')
  const wrong = { contact: contact(), status: 'solved', priority: 'top' }
  assertProblems(await api.post('/tickets', wrong), 'body.status:enum', 'body.priority:enum')
  assertProblems(await api.post('/tickets', { contact: { email: 7 } }), 'body.contact.email:string_type')
})

test('spec 4.2 POST tickets 400: a contact without telegram_id and email is refused with 400 in the brief form', async () => {
  const text = 'At least one of telegram_id, email is required'
  assertBrief(await api.post('/tickets', { contact: {} }), 400, text)
  assertBrief(await api.post('/tickets', { contact: { external_id: 'u1', full_name: 'No One' } }), 400, text)
  assertBrief(await api.post('/tickets', { contact: { email: null, telegram_id: null } }), 400, text)
})

test('a schema mismatch is reported first, then a missing identifier, then other errors', async () => {
  assertProblems(await api.post('/tickets', { contact: {}, status: 'solved' }), 'body.status')
  assertBrief(await api.post('/tickets', { contact: {}, operator_id: nobody, content: ' ' }), 400)
})

test('blank content without a file is MESSAGE_EMPTY and creates nothing', async () => {
  const email = `${unique()}@example.com`
  for (const content of ['', ' \n\t ', '\u00a0\u2003']) {
    const events = await eventsOf(server, async () =>
      assertEnvelope(await api.post('/tickets', { contact: { email }, content }), 422, 'MESSAGE_EMPTY'),
    )
    assert.deepEqual(events, [])
  }
  assert.equal((await api.get(`/contacts?email=${email}`)).body.total, 0)
})

test("operators, departments and files that are Rival's or unknown are VALIDATION_ERROR", async () => {
  const foreign = {
    operator_id: (await makeOperator(db, rival)).id,
    department_id: (await makeDepartment(db, rival)).id,
    media_ids: [await makeFile(db, rival)],
  }
  for (const [field, value] of Object.entries(foreign)) {
    const others = [nobody, 'nope', ''].map(one => (Array.isArray(value) ? [one] : one))
    for (const one of [value, ...others]) {
      const answer = await api.post('/tickets', { contact: contact(), [field]: one })
      assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field })
      assert.equal(typeof answer.body.detail.reason, 'string')
    }
  }
})

test('a refused ticket leaves no event, no contact and no gap in the ticket numbers', async () => {
  const email = `${unique()}@example.com`
  const before = await makeTicket(api)
  const events = await eventsOf(server, () =>
    api.post('/tickets', { contact: { email }, content: 'Hello', operator_id: nobody }),
  )
  assert.deepEqual(events, [])
  assert.equal((await api.get(`/contacts?email=${email}`)).body.total, 0)
  assert.equal(Number((await makeTicket(api)).short_id), Number(before.short_id) + 1)
})

test('spec 4.2 POST tickets blocked: a blocked contact gets no ticket, and this 403 comes before other errors', async () => {
  const person = await makeContact(api)
  await api.patch(`/contacts/${person.id}`, { is_blocked: true })
  const blocked = { contact: { email: person.email } }
  assertEnvelope(await api.post('/tickets', blocked), 403, 'CONTACT_BLOCKED')
  assertEnvelope(await api.post('/tickets', { ...blocked, content: ' ' }), 403, 'CONTACT_BLOCKED')
  assertEnvelope(await api.post('/tickets', { ...blocked, operator_id: nobody }), 403, 'CONTACT_BLOCKED')
  await api.patch(`/contacts/${person.id}`, { is_blocked: false })
  assert.equal((await api.post('/tickets', blocked)).status, 201)
})

test("spec 4.2 POST tickets limit: beyond the plan's monthly limit, a ticket is refused with 403 and limit, used and resets_at", async () => {
  const small = await createProject(db, { name: 'Small' })
  await db`update api_keys set project_id = ${small.id} where id = ${rival.key.id}`
  await limitTickets(db, { ...rival, id: small.id }, 2)
  await makeTicket(outsider)
  await makeTicket(outsider)
  const refused = await outsider.post('/tickets', { contact: contact(), content: ' ' })
  assertEnvelope(refused, 403, 'TICKET_LIMIT_REACHED', { limit: 2, used: 2 })
  assert.match(refused.body.detail.resets_at, /^\d{4}-\d\d-01T00:00:00\.000000$/)
  await db`update api_keys set project_id = ${rival.id} where id = ${rival.key.id}`
})
