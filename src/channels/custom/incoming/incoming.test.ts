import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitTickets, typesOf, unique } from '../../../../test/cast.ts'
import { assertEnvelope, type Client } from '../../../../test/client.ts'
import { makeChannel, type Program } from '../../../../test/custom-channel.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { makePicture, makeUpload } from '../../../../test/upload.ts'

/** Messages that contacts write in a custom channel are added to their tickets. */

let server: TestServer
let admin: Client
let api: Client
let program: Program

before(async () => {
  server = await startServer({ delivers: false })
  api = server.api
  admin = (await joinProject(server, server.acme, { role: 'admin' })).api
  program = await makeChannel(admin, api)
})
after(() => server.close())

const messagesOf = async (ticketId: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  (await api.get(`/tickets/${ticketId}/messages?page_size=100`)).body.items as any[]

const textsOf = async (ticketId: string) =>
  (await messagesOf(ticketId)).filter(one => one.sender_type !== 'system').map(one => one.content)

test('the first message creates a contact and a ticket, and later messages are added to the ticket', async () => {
  const person = unique()
  const types = await typesOf(server, () => program.post(person, 'Hello'))
  assert.deepEqual(types, ['ticket.created', 'message.created'])
  const { body, status } = await program.post(person, 'Are you there?')
  assert.equal(status, 201)
  const channel = `custom:${program.channel.name}`
  assert.partialDeepStrictEqual(body, { sender_type: 'contact', sender_name: `Person ${person}`, channel })
  const ticket = (await api.get(`/tickets/${body.ticket_id}`)).body
  assert.partialDeepStrictEqual(ticket, { channel, status: 'new', contact_id: body.sender_id })
  assert.deepEqual(await textsOf(body.ticket_id), ['Hello', 'Are you there?'])
  for (const query of [`channel=${channel}`, `q=${encodeURIComponent(`channel:${channel}`)}`]) {
    const found = await api.get(`/tickets?${query}`)
    assert.ok(
      found.body.items.some((one: { id: string }) => one.id === body.ticket_id),
      query,
    )
  }
  const { identities } = (await api.get(`/contacts/${body.sender_id}`)).body
  assert.partialDeepStrictEqual(identities, [{ type: 'channel', value: `${program.channel.id}:${person}` }])
  const reference = encodeURIComponent(`channel:${program.channel.id}:${person}`)
  assert.equal((await api.get(`/contacts/${reference}`)).body.id, body.sender_id)
})

test('a message that is posted 20 times at once is stored once', async () => {
  const external_id = unique()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => program.post('once', 'Only once', { external_id })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.deepEqual(await textsOf(answers[0]!.body.ticket_id), ['Only once'])
})

test('an external_id that is posted for several contacts at once is stored once', async () => {
  const external_id = unique()
  const post = (person: string) => program.post(person, 'Whose is it?', { external_id })
  const answers = await Promise.all(['one', 'two', 'three', 'four'].map(post))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
})

test('messages keep the times at which they were written and the order in which they were posted', async () => {
  const person = unique()
  const at = (created_at: string) => program.post(person, created_at, { created_at })
  const first = (await at('2026-01-15T10:00:00Z')).body
  assert.equal(first.created_at, '2026-01-15T10:00:00.000000')
  const second = (await at('2026-01-15T09:00:00Z')).body
  assert.equal(second.created_at, first.created_at)
  const future = (await at('2999-01-01T00:00:00Z')).body
  assert.ok(future.created_at < '2999')
  assert.deepEqual(await textsOf(first.ticket_id), [
    '2026-01-15T10:00:00Z',
    '2026-01-15T09:00:00Z',
    '2999-01-01T00:00:00Z',
  ])
})

test('a message can have files and Markdown, and can reply to another message', async () => {
  const person = unique()
  const external_id = unique()
  const first = await program.post(person, 'First', { external_id })
  const { id } = await makePicture(api)
  const { body } = await program.post(person, '**Second**', {
    content_format: 'markdown',
    media_ids: [id],
    reply_to_external_id: external_id,
  })
  assert.equal(body.reply_to_id, first.body.id)
  assert.equal(body.media[0].id, id)
  assert.match(body.content_html, /<strong>Second<\/strong>/)
})

test('a closed ticket is reopened or, if closed long ago, followed by a new one; a reply is added to the ticket of its original', async () => {
  const person = unique()
  const external_id = unique()
  const first = (await program.post(person, 'First', { external_id })).body
  await api.post(`/tickets/${first.ticket_id}/close`)
  assert.equal((await program.post(person, 'Again')).body.ticket_id, first.ticket_id)
  assert.equal((await api.get(`/tickets/${first.ticket_id}`)).body.status, 'open')
  await api.post(`/tickets/${first.ticket_id}/close`)
  await server.db`update tickets set closed_at = now() - interval '1 year' where id = ${first.ticket_id}`
  const later = (await program.post(person, 'Much later')).body
  assert.notEqual(later.ticket_id, first.ticket_id)
  assert.equal((await api.get(`/tickets/${later.ticket_id}`)).body.follow_up_of_id, first.ticket_id)
  await api.post(`/tickets/${first.ticket_id}/reopen`)
  const reply = (await program.post(person, 'About that', { reply_to_external_id: external_id })).body
  assert.equal(reply.ticket_id, first.ticket_id)
})

test("a reply to another contact's message is not added to that contact's ticket", async () => {
  const external_id = unique()
  const victim = (await program.post(unique(), 'My secret', { external_id })).body
  const { body } = await program.post(unique(), 'Tell me', { reply_to_external_id: external_id })
  assert.notEqual(body.ticket_id, victim.ticket_id)
  assert.equal(body.reply_to_id, null)
  assert.deepEqual(await textsOf(victim.ticket_id), ['My secret'])
})

test('a contact can edit and delete a message', async () => {
  const external_id = unique()
  const { body } = await program.post(unique(), 'Old text', { external_id })
  const path = `/channels/${program.channel.name}/messages/${external_id}`
  const types = await typesOf(server, async () => {
    const edited = await api.patch(path, { content: 'New text' })
    assert.equal(edited.body.content, 'New text')
    assert.ok(edited.body.edited_at)
  })
  assert.deepEqual(types, ['message.edited'])
  const deleted = await api.delete(path)
  assert.equal(deleted.status, 200)
  assert.partialDeepStrictEqual(deleted.body, { id: body.id, content: '' })
  assert.ok(deleted.body.deleted_at)
  assert.deepEqual(await typesOf(server, () => api.patch(path, { content: 'Back again' })), [])
  assert.equal((await api.delete(path)).body.deleted_at, deleted.body.deleted_at)
  const unknown = await api.patch(`/channels/${program.channel.id}/messages/none`, { content: 'x' })
  assertEnvelope(unknown, 404, 'MESSAGE_NOT_FOUND')
})

test('a deleted message loses its files, and other messages keep theirs', async () => {
  const [external_id, person] = [unique(), unique()]
  const [file, other] = [await makeUpload(api), await makeUpload(api)]
  const kept = (await program.post(person, 'Kept', { media_ids: [other.id] })).body
  const sent = await program.post(person, 'With a file', { external_id, media_ids: [file.id] })
  const [stored] = await server.db<{ storage_key: string }[]>`
    select storage_key from media where id = ${file.id}`
  const { body } = await api.delete(`/channels/${program.channel.name}/messages/${external_id}`)
  assert.deepEqual([body.id, body.media], [sent.body.id, []])
  assert.equal((await api.get(`/media/${file.id}`)).status, 404)
  const { count } = await server.db`
    select from stray_objects where storage_key = ${stored!.storage_key} and due_at <= now()`
  assert.equal(count, 1)
  assert.equal((await api.get(`/tickets/${kept.ticket_id}`)).body.last_message.preview, '')
  assert.equal((await api.get(`/media/${other.id}`)).status, 200)
})

test('a blocked contact, an empty message and a paused channel are refused', async () => {
  const person = unique()
  const { body } = await program.post(person, 'Hello')
  await api.patch(`/contacts/${body.sender_id}`, { is_blocked: true })
  assertEnvelope(await program.post(person, 'Hello?'), 403, 'CONTACT_BLOCKED')
  assertEnvelope(await program.post(unique(), ' '), 422, 'MESSAGE_EMPTY')
  const other = await makeChannel(admin, api)
  await admin.post(`/channels/${other.channel.id}/pause`)
  assertEnvelope(await other.post(unique(), 'Hello'), 409, 'CHANNEL_PAUSED')
  await admin.post(`/channels/${other.channel.id}/resume`)
  assert.equal((await other.post(unique(), 'Hello')).status, 201)
})

test('an email address never finds a contact, and is shown only if no other contact has it', async () => {
  const email = `${unique()}@example.com`
  const owner = (await api.post('/contacts', { email })).body
  const contact = { external_id: unique(), full_name: 'Somebody', email }
  const { body } = await program.post('', 'Hello', { contact })
  assert.notEqual(body.sender_id, owner.id)
  assert.equal((await api.get(`/contacts/${body.sender_id}`)).body.email, null)
  const free = `${unique()}@example.com`
  const shown = (await program.post('', 'Hello', { contact: { ...contact, email: free } })).body
  assert.equal((await api.get(`/contacts/${shown.sender_id}`)).body.email, free)
  assert.equal((await api.get(`/contacts/email:${free}`)).status, 404)
})

test('corrections that people have made to a contact are kept', async () => {
  const person = unique()
  const { body } = await program.post(person, 'Hello')
  await api.patch(`/contacts/${body.sender_id}`, { full_name: 'Ann Lee' })
  const contact = { external_id: person, full_name: 'nickname', phone: '+15550100' }
  await program.post(person, 'Hello', { contact })
  assert.partialDeepStrictEqual((await api.get(`/contacts/${body.sender_id}`)).body, {
    full_name: 'Ann Lee',
    phone: '+15550100',
  })
})

test('after contacts are merged, messages of the same person belong to the remaining contact', async () => {
  const person = unique()
  const { body } = await program.post(person, 'Hello')
  const other = (await api.post('/contacts', { email: `${unique()}@example.com` })).body
  await api.post(`/contacts/${body.sender_id}/merge`, { into_contact_id: other.id })
  const next = (await program.post(person, 'Hello again')).body
  assert.equal(next.sender_id, other.id)
  assert.equal(next.ticket_id, body.ticket_id)
})

test("another project's key finds neither the channel nor its messages", async () => {
  const path = `/channels/${program.channel.id}`
  const message = { external_id: unique(), contact: { external_id: 'x' }, content: 'x' }
  for (const answer of [
    await server.outsider.get(path),
    await server.outsider.get(`${path}/outgoing`),
    await server.outsider.post(`${path}/messages`, message),
    await server.outsider.get(`/channels/${program.channel.name}`),
  ])
    assertEnvelope(answer, 404, 'CHANNEL_NOT_FOUND')
  assert.deepEqual((await server.outsider.get('/channels')).body.items, [])
})

test("messages are accepted after the plan's limit is reached, and their new tickets are marked", async () => {
  await limitTickets(server.db, server.acme, 0)
  const { body, status } = await program.post(unique(), 'Hello')
  assert.equal(status, 201)
  assert.equal((await admin.get(`/tickets/${body.ticket_id}`)).body.over_limit, true)
})
