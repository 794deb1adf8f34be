import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeMessage, unique } from '../../../../test/cast.ts'
import { assertEnvelope, type Client } from '../../../../test/client.ts'
import { makeChannel, type Program } from '../../../../test/custom-channel.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'

/** Replies wait for the program of the channel, which sends them and reports their delivery. */

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

/** A new ticket of a new person. */
async function begin(of = program) {
  const person = unique()
  const external_id = unique()
  const { body } = await of.post(person, 'Hello', { external_id })
  const path = `/tickets/${body.ticket_id}/messages`
  const reply = async (content: string, more: object = {}) =>
    (await admin.post(path, { content, ...more })).body
  return { person, external_id, first: body, path, reply }
}

const idsOf = async (of = program) => (await of.outgoing()).map(({ message }) => message.id)
const deliveryOf = async (id: string) => (await api.get(`/messages/${id}`)).body.delivery

test('replies from operators and bots wait in order; notes and system messages do not wait', async () => {
  const { person, first, external_id, path, reply } = await begin()
  const one = await reply('One', { reply_to_id: first.id })
  assert.equal(one.delivery.status, 'pending')
  const two = await makeMessage(api, first.ticket_id, { content: 'Two' })
  assert.equal(two.delivery.status, 'pending')
  await admin.post(path, { content: 'Between us', is_internal: true })
  const three = await reply('Three')
  const waiting = await program.outgoing()
  assert.deepEqual(
    waiting.map(({ message }) => message.id),
    [one.id, two.id, three.id],
  )
  assert.equal(waiting[0]!.reply_to_external_id, external_id)
  assert.deepEqual(waiting[0]!.contact, {
    id: first.sender_id,
    external_id: person,
    full_name: `Person ${person}`,
  })
  const { body } = await api.get(`/channels/${program.channel.id}`)
  assert.equal(body.waiting, 3)
  assert.ok(body.waiting_since)
  assert.ok(body.last_request_at && body.last_received_at)
  for (const { message } of waiting) await program.report(message.id, 'sent')
  assert.deepEqual(await idsOf(), [])
})

test('the status of a message only moves forward', async () => {
  const { id } = await (await begin()).reply('Answer')
  for (const [status, expected] of [
    ['sent', 'sent'],
    ['sent', 'sent'],
    ['read', 'read'],
    ['delivered', 'read'],
    ['failed', 'read'],
  ] as const) {
    const answer = await program.report(id, status)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.delivery.status, expected)
  }
  assert.equal((await deliveryOf(id)).attempts, 1)
})

test('the ticket shows why a message has failed, and after a retry the message waits again', async () => {
  const { reply, first, person } = await begin()
  const { id } = await reply('Answer')
  const failed = await program.report(id, 'failed', { error: 'The phone is off' })
  assert.partialDeepStrictEqual(failed.body.delivery, { status: 'failed', error: 'The phone is off' })
  await program.report(id, 'failed', { error: 'The phone is off' })
  const { items } = (await api.get(`/tickets/${first.ticket_id}/messages`)).body
  const notes = items.filter(
    (one: { system: { kind: string } | null }) => one.system?.kind === 'delivery_failed',
  )
  assert.equal(notes.length, 1)
  assert.equal(
    notes[0].content,
    `The message to Person ${person} via Signal could not be delivered: The phone is off`,
  )
  assert.equal((await api.post(`/messages/${id}/retry`)).body.delivery.status, 'pending')
  assert.deepEqual(await idsOf(), [id])
  await program.report(id, 'delivered')
  assert.equal((await deliveryOf(id)).status, 'delivered')
})

test("a contact's reply refers to an operator's message by the external_id that the program has reported", async () => {
  const { person, reply, first } = await begin()
  const { id } = await reply('Answer')
  const external_id = unique()
  await program.report(id, 'sent', { external_id })
  const { body } = await program.post(person, 'Thanks', { reply_to_external_id: external_id })
  assert.equal(body.reply_to_id, id)
  const other = await reply('Another')
  const taken = await program.report(other.id, 'sent', { external_id })
  assertEnvelope(taken, 422, 'VALIDATION_ERROR', { field: 'external_id', reason: 'identifier_taken' })
  await program.report(other.id, 'sent')
  assertEnvelope(await program.report(first.id, 'sent'), 404, 'MESSAGE_NOT_FOUND')
})

test('a waiting message is listed with its edited text', async () => {
  const { id } = await (await begin()).reply('Wrong')
  await admin.patch(`/messages/${id}`, { content: 'Right' })
  assert.deepEqual(
    (await program.outgoing()).map(({ message }) => message.content),
    ['Right'],
  )
  await program.report(id, 'sent')
  const edited = (await admin.patch(`/messages/${id}`, { content: 'Better' })).body
  assert.equal(edited.delivery.error, null)
})

test('a paused channel lists nothing but accepts reports, and its messages still wait after it is resumed', async () => {
  const other = await makeChannel(admin, api)
  const { reply } = await begin(other)
  const [one, two] = [await reply('One'), await reply('Two')]
  await admin.post(`/channels/${other.channel.id}/pause`)
  assertEnvelope(await api.get(`/channels/${other.channel.id}/outgoing`), 409, 'CHANNEL_PAUSED')
  assert.equal((await other.report(one.id, 'sent')).status, 200)
  await admin.post(`/channels/${other.channel.id}/resume`)
  assert.deepEqual(await idsOf(other), [two.id])
})

test('after a channel is deleted, its waiting messages and later replies fail, and its tickets are kept', async () => {
  const other = await makeChannel(admin, api)
  const { reply, first } = await begin(other)
  const waiting = await reply('One')
  assert.equal((await admin.delete(`/channels/${other.channel.id}`)).status, 204)
  assert.partialDeepStrictEqual(await deliveryOf(waiting.id), { status: 'failed', error: 'channel_deleted' })
  const later = await reply('Two')
  assert.partialDeepStrictEqual(await deliveryOf(later.id), { status: 'failed', error: 'no_recipient' })
  assert.equal((await api.get(`/tickets/${first.ticket_id}`)).status, 200)
  const again = await makeChannel(admin, api, { name: other.channel.name })
  const third = await reply('Three')
  assert.equal((await deliveryOf(third.id)).error, 'no_recipient')
  assert.deepEqual(await idsOf(again), [])
})

test('after contacts are merged, a reply goes to the person who last wrote in the ticket', async () => {
  const [ann, bob] = [await begin(), await begin()]
  await api.post(`/contacts/${ann.first.sender_id}/merge`, { into_contact_id: bob.first.sender_id })
  const { id } = await ann.reply('Answer')
  const [waiting] = await program.outgoing()
  assert.equal(waiting!.contact.external_id, ann.person)
  assert.equal(waiting!.contact.id, bob.first.sender_id)
  await program.report(id, 'sent')
})
