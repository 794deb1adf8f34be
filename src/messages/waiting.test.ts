import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeFile, makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { sendDueMessages } from '../tickets/tickets.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let olga: Person
let omar: Person
let rita: Person
let ticket: { id: string }

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
  ticket = await makeTicket(api)
})
after(() => server.close())

const post = async (fields: object) =>
  (await omar.api.post(`/tickets/${ticket.id}/messages`, { content: 'Hello', undo_seconds: 30, ...fields }))
    .body

const makeDue = (id: string) => db`update messages set send_at = now() - interval '1 s' where id = ${id}`

test('withdrawing a message returns all of it, deletes it, and emits no event', async () => {
  const file = await makeFile(db, acme)
  const events = await eventsOf(server, async () => {
    const { id } = await post({ content: 'Wait', content_format: 'markdown', media_ids: [file] })
    const { status, body } = await omar.api.delete(`/messages/${id}`)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { content: 'Wait', content_format: 'markdown', is_internal: false })
    assert.deepEqual([body.media[0].id, body.mentions], [file, []])
    assertEnvelope(await api.get(`/messages/${id}`), 404, 'MESSAGE_NOT_FOUND')
    assertEnvelope(await omar.api.delete(`/messages/${id}`), 404, 'MESSAGE_NOT_FOUND')
  })
  assert.deepEqual(events, [])
  assert.equal((await post({ media_ids: [file] })).media.length, 1)
})

test('withdrawing a note returns the operators it mentions, without its author', async () => {
  const { id } = await post({ is_internal: true, mentions: [olga.id, omar.id] })
  assert.deepEqual((await omar.api.delete(`/messages/${id}`)).body.mentions, [olga.id])
})

test('a message is either withdrawn or sent, never both', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await post({})
    await makeDue(id)
    const events = await eventsOf(server, async () => {
      const [taken] = await Promise.all([
        omar.api.delete(`/messages/${id}`),
        sendDueMessages(db, server.acme.id),
      ])
      const isSent = (await api.get(`/messages/${id}`)).status === 200
      assert.deepEqual([taken.status, isSent], isSent ? [409, true] : [200, false])
      if (isSent) assertEnvelope(taken, 409, 'MESSAGE_SENT')
    })
    const created = events.filter(({ type, data }) => type === 'message.created' && data.id === id)
    assert.equal(created.length, (await api.get(`/messages/${id}`)).status === 200 ? 1 : 0)
  }
})

test('a waiting message can be rescheduled, edited and sent immediately', async () => {
  const { id } = await post({ send_at: '2999-01-01' })
  const at = (send_at: string | null) => omar.api.post(`/messages/${id}/reschedule`, { send_at })
  assert.equal((await at('2999-02-01')).body.send_at, '2999-02-01T00:00:00.000000')
  assertEnvelope(await at('2020-01-01'), 422, 'VALIDATION_ERROR', { field: 'send_at', reason: 'in_the_past' })
  assert.equal((await omar.api.patch(`/messages/${id}`, { content: 'Better' })).status, 200)
  await at(null)
  const events = await eventsOf(server, () => sendDueMessages(db, server.acme.id))
  assert.equal(events.find(({ data }) => data.id === id)?.data.content, 'Better')
  assertEnvelope(await at(null), 409, 'MESSAGE_SENT')
})

test('delivery_status=scheduled lists only the waiting messages of a ticket', async () => {
  const { id } = await makeTicket(api)
  await makeMessage(api, id)
  const waiting = await makeMessage(api, id, { send_at: '2999-01-01' })
  const { items } = (await omar.api.get(`/tickets/${id}/messages?delivery_status=scheduled`)).body
  assert.deepEqual(
    items.map((item: { id: string }) => item.id),
    [waiting.id],
  )
})

test('only admins can change or withdraw messages of others', async () => {
  const own = await post({})
  const bots = await makeMessage(api, ticket.id, { send_at: '2999-01-01' })
  const olgas = (
    await olga.api.post(`/tickets/${ticket.id}/messages`, { content: 'Mine', is_internal: true })
  ).body
  for (const answer of [
    await omar.api.delete(`/messages/${bots.id}`),
    await omar.api.post(`/messages/${bots.id}/reschedule`, { send_at: null }),
    await omar.api.patch(`/messages/${olgas.id}`, { content: 'Not yours' }),
    await omar.api.patch(`/messages/${bots.id}`, { content: 'Not yours' }),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
  assert.equal(
    (await olga.api.patch(`/messages/${own.id}`, { content: 'Corrected' })).body.content,
    'Corrected',
  )
  assert.equal((await olga.api.delete(`/messages/${own.id}`)).body.content, 'Corrected')
})

test('replies to a withdrawn message stay, without reply_to_id', async () => {
  const { id } = await post({})
  const answer = await post({ reply_to_id: id })
  await omar.api.delete(`/messages/${id}`)
  const { body } = await api.get(`/messages/${answer.id}`)
  assert.equal(body.reply_to_id, null)
  assert.ok(body.version > answer.version && body.updated_at > answer.updated_at)
})

test('Rival cannot withdraw or reschedule a waiting message of Acme', async () => {
  const { id } = await post({})
  for (const one of [id, nobody, 'nope']) {
    assertEnvelope(await rita.api.delete(`/messages/${one}`), 404, 'MESSAGE_NOT_FOUND')
    const again = await rita.api.post(`/messages/${one}/reschedule`, { send_at: null })
    assertEnvelope(again, 404, 'MESSAGE_NOT_FOUND')
  }
  assert.equal((await api.get(`/messages/${id}`)).body.delivery.status, 'scheduled')
})
