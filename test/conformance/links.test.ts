import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventTypes } from '../../src/events/catalogue.ts'
import { printEnvelope } from '../../src/events/envelope.ts'
import { sampleData } from '../../src/events/samples.ts'
import { makeMessage, makeTicket } from '../cast.ts'
import { startReceiver } from '../receiver.ts'
import { startServer } from '../server.ts'

/** Spec 6.2, `_links`: relative URLs for GET, only to what exists. */

const server = await startServer()
const receiver = await startReceiver()
after(async () => {
  await server.close()
  await receiver.close()
})
const { api } = server
const id = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'

const linksOf = (type: string, data: object) => {
  const event = { id, type, data: JSON.stringify(data), created_at: '2026-01-15T10:30:00.123456' }
  return JSON.parse(printEnvelope(id, event))._links
}

for (const type of eventTypes) {
  const noun = type.split('.')[0]!
  test(`_links of ${type} lead to its ticket or contact, or are empty`, () => {
    const data = sampleData(type) as Record<string, string>
    const ticket = `/api/v1/tickets/${data.ticket_id}`
    const contact = `/api/v1/contacts/${data.id}`
    const isAboutTicket = ['ticket', 'message'].includes(noun) && data.ticket_id
    if (isAboutTicket) assert.deepEqual(linksOf(type, data), { ticket, messages: `${ticket}/messages` })
    else if (noun === 'contact')
      assert.deepEqual(linksOf(type, data), { contact, tickets: `${contact}/tickets` })
    else assert.deepEqual(linksOf(type, data), {})
  })
}

test('text that looks like an id does not change _links', () => {
  const content = `"ticket_id":"evil" {"id":"evil"} \\"ticket_id\\":\\"evil`
  const data = { id, message_id: id, subject: content, content, ticket_id: id }
  const ticket = `/api/v1/tickets/${id}`
  assert.deepEqual(linksOf('message.created', data), { ticket, messages: `${ticket}/messages` })
  assert.deepEqual(linksOf('message.reaction.added', { emoji: content, message_id: id }), {})
})

test('every link of a sent event answers 200 with the record of the event', async () => {
  await api.post('/webhooks', { url: receiver.url })
  const ticket = await makeTicket(api, { content: 'x' })
  const message = await makeMessage(api, ticket.id)
  await api.patch(`/messages/${message.id}`, { content: 'y' })
  await api.post(`/tickets/${ticket.id}/close`)
  const sent = (await receiver.waitFor(6)).map(({ body }) => JSON.parse(body.toString()))
  for (const { _links, data, type } of sent) {
    assert.deepEqual(Object.keys(_links), ['ticket', 'messages'], type)
    const linked = await api.get(_links.ticket.slice('/api/v1'.length))
    assert.deepEqual([linked.status, linked.body.id], [200, data.ticket_id])
    assert.equal((await api.get(_links.messages.slice('/api/v1'.length))).status, 200)
  }
})
