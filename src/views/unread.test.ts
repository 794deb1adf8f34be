import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { sendDueMessages } from '../tickets/tickets.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

type Ticket = { id: string }

async function marksOf({ id }: Ticket, who = omar): Promise<[boolean, number]> {
  const { is_unread, unread_count } = (await who.api.get(`/tickets/${id}`)).body
  return [is_unread, unread_count]
}

const write = ({ id }: Ticket, who: Person, fields: object = {}) =>
  who.api.post(`/tickets/${id}/messages`, { content: 'Hello', ...fields })

const mentionsOf = async (who: Person): Promise<[number, string[]]> => {
  const { items } = (await who.api.get('/views')).body
  const listed = (await who.api.get('/tickets?view=mentions')).body.items
  const { count } = items.find(({ id }: Ticket) => id === 'mentions')
  return [count, listed.map(({ id }: Ticket) => id)]
}

test('messages of others are unread until they are read, for each person', async () => {
  const ticket = await makeTicket(api, { content: 'First' })
  await makeMessage(api, ticket.id)
  await write(ticket, olga, { is_internal: true })
  assert.deepEqual(await marksOf(ticket), [true, 3])
  assert.equal((await omar.api.get('/tickets?view=open&unread=true')).body.total, 1)
  const mark = (await omar.api.post(`/tickets/${ticket.id}/read`)).body
  assert.equal(mark.previous_read_message_at, null)
  assert.deepEqual(await marksOf(ticket), [false, 0])
  assert.equal((await omar.api.get('/tickets?view=open&unread=true')).body.total, 0)
  const nina = await joinProject(server, acme, { name: 'Nina' })
  assert.deepEqual(await marksOf(ticket, nina), [false, 0])
  await makeMessage(api, ticket.id)
  assert.deepEqual(
    [await marksOf(ticket), await marksOf(ticket, nina)],
    [
      [true, 1],
      [true, 1],
    ],
  )
  const again = (await omar.api.post(`/tickets/${ticket.id}/read`)).body
  assert.equal(again.previous_read_message_at, mark.last_read_message_at)
})

test('a message is read for its writer; a delayed reply is read for its writer when it is sent', async () => {
  const ticket = await makeTicket(api, { content: 'First' })
  await write(ticket, omar)
  assert.deepEqual(
    [await marksOf(ticket), await marksOf(ticket, olga)],
    [
      [false, 0],
      [true, 2],
    ],
  )
  await write(ticket, omar, { undo_seconds: 30 })
  assert.deepEqual(await marksOf(ticket, olga), [true, 2])
  await db`update messages set send_at = now() - interval '1 s' where ticket_id = ${ticket.id} and send_at is not null`
  await sendDueMessages(db, server.acme.id)
  assert.deepEqual(
    [await marksOf(ticket), await marksOf(ticket, olga)],
    [
      [false, 0],
      [true, 3],
    ],
  )
})

test('system messages are never unread', async () => {
  const ticket = await makeTicket(api)
  await olga.api.post(`/tickets/${ticket.id}/take`)
  assert.deepEqual(await marksOf(ticket), [false, 0])
})

test('a ticket can be marked as unread, no matter who wrote last', async () => {
  const ticket = await makeTicket(api)
  await write(ticket, omar)
  await omar.api.post(`/tickets/${ticket.id}/unread`)
  assert.deepEqual(await marksOf(ticket), [true, 1])
  await omar.api.post(`/tickets/${ticket.id}/read`)
  assert.deepEqual(await marksOf(ticket), [false, 0])
})

test('a message that arrives while others are marked as read is not lost', async () => {
  const ticket = await makeTicket(api)
  for (let round = 0; round < 5; round++) {
    await Promise.all([makeMessage(api, ticket.id), omar.api.post(`/tickets/${ticket.id}/read`)])
    const { last_read_message_at } = (await omar.api.post(`/tickets/${ticket.id}/read`)).body
    const { last_message } = (await api.get(`/tickets/${ticket.id}`)).body
    assert.equal(last_read_message_at, last_message.created_at)
    assert.deepEqual(await marksOf(ticket), [false, 0])
  }
})

test("a note is in the mentions of the operators it mentions, except its author's", async () => {
  const ticket = await makeTicket(api)
  const mentioned = { is_internal: true, mentions: [omar.id, olga.id] }
  assert.equal((await write(ticket, olga, mentioned)).status, 201)
  assert.deepEqual(await mentionsOf(omar), [1, [ticket.id]])
  assert.deepEqual(await mentionsOf(olga), [0, []])
  assert.deepEqual(await marksOf(ticket), [true, 1])
  await omar.api.post(`/tickets/${ticket.id}/read`)
  assert.deepEqual(await mentionsOf(omar), [0, [ticket.id]])
})

test('a delayed note is in no mentions until it is sent', async () => {
  const nina = await joinProject(server, acme, { name: 'Nina' })
  const ticket = await makeTicket(api)
  const { body } = await write(ticket, olga, {
    is_internal: true,
    mentions: [nina.id],
    send_at: '2999-01-01',
  })
  await nina.api.post(`/tickets/${ticket.id}/read`)
  assert.deepEqual(await mentionsOf(nina), [0, []])
  await olga.api.post(`/messages/${body.id}/reschedule`, { send_at: null })
  await sendDueMessages(db, server.acme.id)
  assert.deepEqual(await mentionsOf(nina), [1, [ticket.id]])
})

test('only operators of the project can be mentioned, and only in notes', async () => {
  const ticket = await makeTicket(api)
  const wrong = await write(ticket, omar, { mentions: [olga.id] })
  assertEnvelope(wrong, 422, 'VALIDATION_ERROR', { field: 'mentions', reason: 'not_internal' })
  for (const id of [rita.id, nobody, 'nope']) {
    const answer = await write(ticket, omar, { is_internal: true, mentions: [id] })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'mentions', reason: 'not_found' })
  }
  assert.deepEqual(await mentionsOf(rita), [0, []])
})

test('Rival cannot mark a ticket of Acme as read or unread', async () => {
  const ticket = await makeTicket(api, { content: 'First' })
  for (const path of ['read', 'unread'])
    assertEnvelope(await rita.api.post(`/tickets/${ticket.id}/${path}`), 404, 'TICKET_NOT_FOUND')
  const rows = await db`select from ticket_reads where project_id = ${rival.id}`
  assert.equal(rows.length, 0)
})
