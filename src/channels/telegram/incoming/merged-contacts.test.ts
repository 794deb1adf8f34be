import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { listMessages, openBot } from '../../../../test/telegram/bots.ts'

/** After a merge, the merged contact's chats belong to the remaining contact. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test("after a merge, the remaining contact's tickets are answered in the chat, and reactions in the chat are from that contact", async t => {
  const { ann, settled } = await openBot(t, server)
  const { message_id } = ann.say('Hello')
  ann.react(message_id, ['🔥'])
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { body: made } = await server.api.post('/tickets', {
    contact: { email: 'ann.merged@example.com' },
    content: 'By API',
  })
  const merged = await server.api.post(`/contacts/telegram:${ann.person.id}/merge`, {
    into_contact_id: made.contact_id,
  })
  assert.equal(merged.status, 200, merged.text)
  const { api } = await joinProject(server, server.acme, { role: 'operator' })
  const { body } = await api.get(`/tickets/${made.id}/telegram`)
  assert.equal(body.chat?.title, 'Ann Lee')
  ann.react(message_id, ['👍'])
  await settled()
  const { reactions } = (await server.api.get(`/messages/${message!.id}`)).body
  assert.deepEqual(
    reactions.map(({ reactor_id }: { reactor_id: string }) => reactor_id),
    [made.contact_id],
  )
})

test('a chat that is handled while its contact is merged belongs to the remaining contact', async t => {
  const { ann, id, settled } = await openBot(t, server)
  const { message_id } = ann.say('Hello')
  await settled()
  const { body: other } = await server.api.post('/contacts', { email: 'ann.late@example.com' })
  const { body: old } = await server.api.get(`/contacts/telegram:${ann.person.id}`)
  await server.api.post(`/contacts/${old.id}/merge`, { into_contact_id: other.id })
  // Simulates an update that was handled before the merge and committed after it.
  await server.db`update telegram_chats set contact_id = ${old.id} where bot_id = ${id}`
  ann.react(message_id, ['👍'])
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { reactions } = (await server.api.get(`/messages/${message!.id}`)).body
  assert.equal(reactions[0].reactor_id, other.id)
})
