import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../test/server.ts'
import { transact } from '../events/transaction.ts'
import { lockMessage } from './queries.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const makeTicket = async () =>
  (await server.api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'Hello' })).body

test('a reply to a message that is being edited does not wait for the edit', async () => {
  const ticket = await makeTicket()
  const reply = { content: 'Yes', reply_to_id: ticket.last_message.id }
  const { status } = await transact(server.db, server.acme.id, async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await lockMessage(tx, server.acme.id, ticket.last_message.id)
    return server.api.post(`/tickets/${ticket.id}/messages`, reply)
  })
  assert.equal(status, 201)
})

test('the message with the latest time is the last one, even if it was written first', async () => {
  const ticket = await makeTicket()
  await server.db`update ticket_activity set last_message_at = now() + interval '1 hour' where ticket_id = ${ticket.id}`
  await server.api.post(`/tickets/${ticket.id}/messages`, { content: 'Earlier' })
  const { body } = await server.api.get(`/tickets/${ticket.id}`)
  assert.equal(body.last_message.preview, 'Hello')
  assert.equal(body.messages_count, 2)
})

test('a merge counts messages that are posted at the same time', async () => {
  const [source, target] = [await makeTicket(), await makeTicket()]
  const posts = Array.from({ length: 20 }, () =>
    server.api.post(`/tickets/${source.id}/messages`, { content: 'x' }),
  )
  await Promise.all([...posts, server.api.post(`/tickets/${source.id}/merge`, { into_ticket_id: target.id })])
  for (const { id } of [source, target]) {
    const ticket = await server.api.get(`/tickets/${id}`)
    const { total } = (await server.api.get(`/tickets/${id}/messages`)).body
    assert.equal(ticket.body.messages_count, total)
  }
})
