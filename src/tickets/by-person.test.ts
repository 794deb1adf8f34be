import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  eventsOf,
  limitTickets,
  makeContact,
  makeDepartment,
  makeFile,
  typesOf,
  unique,
} from '../../test/cast.ts'
import { assertBrief, assertProblems, type Client } from '../../test/client.ts'
import { makeChannel } from '../../test/custom-channel.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

/** Tickets that people create: calls, visits, notes, and conversations in messengers. */

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const mail = () => `${unique()}@example.com`

async function create(fields: object, client: Client = omar.api) {
  const { status, body, text } = await client.post('/tickets', fields)
  assert.equal(status, 201, text)
  const { items } = (await client.get(`/tickets/${body.id}/messages`)).body
  return { ticket: body, messages: items }
}

async function assertRefused(fields: object, field: string, reason: string, client: Client = omar.api) {
  const counts = async () => [(await api.get('/tickets')).body.total, (await api.get('/contacts')).body.total]
  const before = await counts()
  const { status, body } = await client.post('/tickets', fields)
  assert.equal(status, 422, JSON.stringify(body))
  assert.partialDeepStrictEqual(body.detail, { field, reason })
  assert.deepEqual(await counts(), before)
  return body.detail
}

const caller = () => ({ is_new: true, full_name: 'Ann Lee', phone: '+49 30 1234' })

test("what a caller said becomes the contact's message, which says who wrote it down", async () => {
  const { ticket, messages } = await create({
    ...{ contact: caller(), channel: 'phone', content: 'My card is refused.' },
  })
  assert.partialDeepStrictEqual(ticket, {
    ...{ channel: 'phone', status: 'new', subject: 'My card is refused.' },
    contact: { full_name: 'Ann Lee', phone: '+49 30 1234', email: null },
  })
  assert.ok(ticket.waiting_since)
  assert.equal(messages.length, 1)
  assert.partialDeepStrictEqual(messages[0], {
    ...{ sender_type: 'contact', sender_id: ticket.contact_id, sender_name: 'Ann Lee', channel: 'phone' },
    ...{ is_internal: false, delivery: { status: 'sent' } },
    system: { kind: 'written_down', data: { operator_id: omar.id, operator_name: 'Omar' } },
  })
})

test('the first message can be an internal note that mentions people; nobody waits for a reply', async () => {
  const { ticket, messages } = await create({
    ...{ contact: caller(), channel: 'walk_in', content: 'Wants a refund. @Olga', is_internal: true },
    mentions: [olga.id, omar.id],
  })
  assert.partialDeepStrictEqual(ticket, { channel: 'walk_in', waiting_since: null, first_reply_at: null })
  assert.partialDeepStrictEqual(messages[0], {
    ...{ sender_type: 'operator', sender_id: omar.id, is_internal: true, system: null },
  })
  const { items } = (await olga.api.get('/tickets?view=mentions')).body
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    [ticket.id],
  )
  assert.deepEqual((await omar.api.get('/tickets?view=mentions')).body.items, [])
})

test('a ticket for an existing contact has all the fields that were sent, and the contact does not change', async () => {
  const contact = await makeContact(api, { full_name: 'Bea', language: 'fr' })
  const department = await makeDepartment(db, acme)
  const file = await makeFile(db, acme)
  const fields = {
    ...{ subject: 'Visit', priority: 'high', tags: ['vip'], custom_fields: { order: 'A-17' } },
    ...{ operator_id: omar.id, department_id: department.id, status: 'open' },
  }
  const { ticket, messages } = await create({
    ...{ contact: { id: contact.id }, channel: 'walk_in', media_ids: [file], ...fields },
  })
  assert.partialDeepStrictEqual(ticket, { ...fields, contact_id: contact.id, language: 'fr' })
  assert.partialDeepStrictEqual(messages[0], { sender_name: 'Bea', media: [{ id: file }] })
  const { body } = await api.get(`/contacts/${contact.id}`)
  assert.deepEqual(body.version, contact.version)
})

test('a ticket that a person creates emits the same events as any other ticket', async () => {
  const types = await typesOf(server, () =>
    create({ contact: caller(), channel: 'phone', content: 'Hi', operator_id: olga.id }),
  )
  assert.deepEqual(types, ['ticket.created', 'ticket.assigned', 'message.created'])
})

test('without content, the ticket has no message', async () => {
  const { ticket, messages } = await create({ contact: caller(), channel: 'phone', subject: 'Call back' })
  assert.deepEqual([ticket.messages_count, messages], [0, []])
})

test('integrations can record calls and notes too, and existing requests work as before', async () => {
  const contact = await makeContact(api)
  const called = await create({ contact: { id: contact.id }, channel: 'phone', content: 'Hi' }, api)
  assert.partialDeepStrictEqual(called.ticket, { channel: 'phone', contact_id: contact.id })
  assert.partialDeepStrictEqual(called.messages[0], { sender_type: 'contact', system: null })
  const noted = await create({ contact: { email: mail() }, content: 'Imported', is_internal: true }, api)
  assert.partialDeepStrictEqual(noted.ticket, { channel: 'api', waiting_since: null })
  assert.partialDeepStrictEqual(noted.messages[0], { sender_type: 'bot', is_internal: true })
})

test('a new contact with an existing identifier is refused with the id of the contact who has it, and nothing is created', async () => {
  const known = await makeContact(api, { email: mail(), full_name: 'Ann Lee' })
  const contact = { is_new: true, full_name: 'Anne', email: known.email.toUpperCase() }
  const detail = await assertRefused({ contact, channel: 'phone' }, 'contact.email', 'identifier_taken')
  assert.equal(detail.contact_id, known.id)
  assert.equal((await api.get(`/contacts/${known.id}`)).body.full_name, 'Ann Lee')
})

test('refuses contacts that do not exist, belong to another project, or are sent with more than their id', async () => {
  const { id } = await makeContact(outsider)
  for (const wrong of [id, 'x', acme.id])
    for (const client of [omar.api, api])
      await assertRefused({ contact: { id: wrong } }, 'contact.id', 'not_found', client)
  const own = await makeContact(api)
  await assertRefused({ contact: { id: own.id, full_name: 'Eve' } }, 'contact.id', 'with_id')
  await assertRefused({ contact: { is_new: true, language: 'en' } }, 'full_name', 'required')
  assertBrief(await omar.api.post('/tickets', { contact: { phone: '+1' } }), 400)
  assert.equal((await rita.api.post('/tickets', { contact: { id: own.id } })).status, 422)
})

test('the id of a merged contact leads to the contact that it was merged into', async () => {
  const [from, to] = [await makeContact(api), await makeContact(api)]
  await api.post(`/contacts/${from.id}/merge`, { into_contact_id: to.id })
  assert.equal((await create({ contact: { id: from.id }, channel: 'phone' })).ticket.contact_id, to.id)
})

test('refuses unknown channels, unknown people and options that exclude each other', async () => {
  const contact = { email: mail() }
  assertProblems(await omar.api.post('/tickets', { contact, channel: 'fax' }))
  const mailbox_id = acme.id
  await assertRefused({ contact, mailbox_id, is_internal: true }, 'mailbox_id', 'not_by_email')
  await assertRefused({ contact, mailbox_id, channel: 'phone' }, 'mailbox_id', 'not_by_email')
  await assertRefused({ contact, content: '@Olga', mentions: [olga.id] }, 'mentions', 'not_internal')
  const note = { contact, content: '@Rita', is_internal: true }
  await assertRefused({ ...note, mentions: [rita.id] }, 'mentions', 'not_found')
  await assertRefused({ contact, channel: 'telegram', content: 'Hi' }, 'channel', 'no_chat')
  await assertRefused({ contact, channel: 'custom:none', content: 'Hi' }, 'channel', 'no_chat')
})

test("a conversation in a custom channel starts with a message that waits for the channel's program", async () => {
  const program = await makeChannel(olga.api, api)
  const { body: heard } = await program.post('u-1', 'Hello')
  const channel = `custom:${program.channel.name}`
  const contact = { id: heard.sender_id }
  const { ticket, messages } = await create({ contact, channel, content: 'Your parcel is here.' })
  assert.notEqual(ticket.id, heard.ticket_id)
  assert.partialDeepStrictEqual(messages[0], {
    ...{ sender_type: 'operator', sender_id: omar.id, delivery: { status: 'pending' } },
  })
  const waiting = await program.outgoing()
  assert.partialDeepStrictEqual(waiting, [
    { message: { id: messages[0].id }, contact: { external_id: 'u-1' } },
  ])
  assert.equal((await omar.api.post('/tickets', { contact, channel })).body.error_code, 'MESSAGE_EMPTY')
  const other = await makeChannel(olga.api, api)
  await assertRefused(
    { contact, channel: `custom:${other.channel.name}`, content: 'Hi' },
    'channel',
    'no_chat',
  )
})

test('tickets for blocked contacts or beyond the monthly limit are refused, in messengers too', async () => {
  const small = await joinProject(server, server.rival, { role: 'owner' })
  const program = await makeChannel(small.api, outsider)
  const { body: heard } = await program.post('u-1', 'Hello')
  const contact = { id: heard.sender_id }
  await limitTickets(db, server.rival, 1)
  for (const fields of [{ channel: 'phone' }, { channel: `custom:${program.channel.name}`, content: 'Hi' }]) {
    const { body, status } = await small.api.post('/tickets', { contact, ...fields })
    assert.deepEqual([status, body.error_code], [403, 'TICKET_LIMIT_REACHED'])
  }
  const blocked = await makeContact(api)
  await api.patch(`/contacts/${blocked.id}`, { is_blocked: true })
  const refused = await omar.api.post('/tickets', { contact: { id: blocked.id }, channel: 'phone' })
  assert.equal(refused.body.error_code, 'CONTACT_BLOCKED')
})

test('a repeated request with the same key creates one ticket and one contact', async () => {
  const headers = { 'idempotency-key': unique() }
  const body = { contact: caller(), channel: 'phone', content: 'Hi' }
  const events = await eventsOf(server, async () => {
    const first = await omar.api.post('/tickets', body, { headers })
    const again = await omar.api.post('/tickets', body, { headers })
    assert.deepEqual(again.body, first.body)
  })
  assert.equal(events.filter(({ type }) => type === 'ticket.created').length, 1)
})
