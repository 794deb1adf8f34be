import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { openConversation, sendMessages, waitForDelivery } from '../../../../test/telegram/sending.ts'
import { until } from '../../../../test/until.ts'

/** Conversations that the project starts in a Telegram chat. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const messagesOf = async (ticketId: string) =>
  (await server.api.get(`/tickets/${ticketId}/messages`)).body.items

test("a new ticket in the telegram channel sends its first message to the contact's chat", async t => {
  const { ann, ticketId, settled } = await openConversation(t, server)
  const { contact_id } = (await server.api.get(`/tickets/${ticketId}`)).body
  sendMessages(t, server)
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  const { status, body } = await omar.api.post('/tickets', {
    ...{ contact: { id: contact_id }, channel: 'telegram', content: 'Your parcel is here.' },
  })
  assert.equal(status, 201)
  assert.notEqual(body.id, ticketId)
  const [message] = await messagesOf(body.id)
  assert.partialDeepStrictEqual(message, { sender_type: 'operator', sender_id: omar.id, channel: 'telegram' })
  assert.equal((await waitForDelivery(server, message.id)).status, 'sent')
  assert.equal(ann.received.at(-1)!.text, 'Your parcel is here.')
  ann.say('Thank you')
  await settled()
  await until(async () => (await messagesOf(body.id)).length === 2)
})

test('a contact who has blocked the bot gets no message, and no ticket is created', async t => {
  const { ann, ticketId, settled } = await openConversation(t, server)
  const { contact_id } = (await server.api.get(`/tickets/${ticketId}`)).body
  ann.block()
  await settled()
  const { total } = (await server.api.get('/tickets')).body
  const { status, body } = await server.api.post('/tickets', {
    ...{ contact: { id: contact_id }, channel: 'telegram', content: 'Hello?' },
  })
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.detail, { field: 'channel', reason: 'no_chat' })
  assert.equal((await server.api.get('/tickets')).body.total, total)
})
