import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db } = server
after(() => server.close())

const ticket = await makeTicket(api, { content: 'm0' })
for (let at = 1; at < 12; at++)
  await makeMessage(api, ticket.id, { content: `m${at}`, is_internal: at % 3 === 0 })
await db`update messages set created_at = (select min(created_at) from messages where ticket_id = ${ticket.id})
  where ticket_id = ${ticket.id} and content in ('m3', 'm4', 'm5')`
await makeMessage(outsider, (await makeTicket(outsider, { content: 'r0' })).id, { content: 'r1' })

type Item = { id: string; content: string; is_internal: boolean; sender_type: string }

const list = async (query = '') => {
  const answer = await api.get(`/tickets/${ticket.id}/messages?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const contents = (body: { items: Item[] }) => body.items.map(item => item.content)

const all: Item[] = (await list('page_size=100')).items
const words = all.map(item => item.content)

test('messages are listed oldest first, or newest first with order=desc', async () => {
  assert.equal(words.length, 12)
  assert.equal(words.at(-1), 'm11')
  assert.deepEqual(contents(await list('order=desc&page_size=100')), [...words].reverse())
  assertProblems(await api.get(`/tickets/${ticket.id}/messages?order=up`), 'query.order:enum')
})

for (const order of ['asc', 'desc']) {
  test(`pages and cursors return every message once (${order})`, async () => {
    const wanted = order === 'asc' ? words : [...words].reverse()
    for (const size of [1, 5, 12]) {
      const pages: string[] = []
      for (let page = 1; page <= Math.ceil(12 / size); page++) {
        pages.push(...contents(await list(`order=${order}&page_size=${size}&page=${page}`)))
      }
      const cursors: string[] = []
      let cursor = ''
      do {
        const body = await list(`order=${order}&page_size=${size}${cursor && `&cursor=${cursor}`}`)
        cursors.push(...contents(body))
        cursor = body.next_cursor
      } while (cursor)
      assert.deepEqual([pages, cursors], [wanted, wanted])
    }
  })

  test(`after_id and before_id exclude the message and everything on the other side of it (${order})`, async () => {
    const place = (from: number, to: number) =>
      order === 'asc' ? words.slice(from, to) : words.slice(from, to).reverse()
    const [third, ninth] = [all[2]!.id, all[8]!.id]
    assert.deepEqual(contents(await list(`order=${order}&after_id=${third}`)), place(3, 12))
    assert.deepEqual(contents(await list(`order=${order}&before_id=${third}`)), place(0, 2))
    assert.deepEqual(contents(await list(`order=${order}&after_id=${third}&before_id=${ninth}`)), place(3, 8))
    assert.equal((await list(`order=${order}&after_id=${third}`)).total, 9)
  })
}

test('a missing message or one of Rival in after_id or before_id is 404', async () => {
  const theirs = await makeMessage(outsider, (await makeTicket(outsider)).id)
  for (const id of [nobody, 'nope', theirs.id]) {
    for (const name of ['after_id', 'before_id']) {
      assertEnvelope(await api.get(`/tickets/${ticket.id}/messages?${name}=${id}`), 404, 'MESSAGE_NOT_FOUND')
    }
  }
})

test('is_internal and sender_type filter the list; notes are included by default', async () => {
  const notes = all.filter(item => item.is_internal).map(item => item.content)
  assert.equal(notes.length, 3)
  assert.deepEqual(contents(await list('is_internal=true')), notes)
  assert.equal((await list('is_internal=false')).total, 9)
  assert.deepEqual(contents(await list('sender_type=contact')), ['m0'])
  assert.equal((await list('sender_type=bot')).total, 11)
  assert.equal((await list('sender_type=bot,contact')).total, 12)
  assert.equal((await list('sender_type=bot&sender_type=contact')).total, 12)
  assert.equal((await list('sender_type=bot&is_internal=true&page_size=2')).pages, 2)
  assertProblems(
    await api.get(`/tickets/${ticket.id}/messages?sender_type=robot`),
    'query.sender_type.0:enum',
  )
  assertProblems(await api.get(`/tickets/${ticket.id}/messages?is_internal=7`), 'query.is_internal')
})

test('page_size must be 1 to 100', async () => {
  for (const size of ['0', '101', 'abc']) {
    assertProblems(await api.get(`/tickets/${ticket.id}/messages?page_size=${size}`), 'query.page_size')
  }
})

test('an invalid cursor is a schema mismatch', async () => {
  const forged = Buffer.from(`+created_at|7|${nobody}`).toString('base64url')
  for (const cursor of ['x', 'AAAA', forged]) {
    assertProblems(await api.get(`/tickets/${ticket.id}/messages?cursor=${cursor}`), 'query.cursor')
  }
})

test('the messages of a missing ticket, or of a ticket of another project, are 404', async () => {
  for (const id of [nobody, 'nope'])
    assertEnvelope(await api.get(`/tickets/${id}/messages`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await outsider.get(`/tickets/${ticket.id}/messages`), 404, 'TICKET_NOT_FOUND')
})

test('closing and reopening add system messages to the list', async () => {
  await api.post(`/tickets/${ticket.id}/close`)
  await api.post(`/tickets/${ticket.id}/reopen`)
  const { items } = await list('sender_type=system')
  const kinds = items.map((item: { system: { kind: string } }) => item.system.kind)
  assert.deepEqual(kinds, ['ticket_closed', 'ticket_reopened'])
  assert.ok(items.every((item: { sender_id: null }) => item.sender_id === null))
})

test('all messages of the project are listed by their last change, and can be filtered', async () => {
  const since = (await makeTicket(api)).created_at
  const { id } = await makeTicket(api, { content: 'From Ann' })
  const first = await makeMessage(api, id, { content: 'one' })
  const second = await makeMessage(api, id, { content: 'two' })
  await makeMessage(api, id, { content: 'later', send_at: '2099-01-01T00:00:00Z' })
  await api.patch(`/messages/${first.id}`, { content: 'one, changed' })
  const read = async (query: string) => {
    const { body } = await api.get(`/messages?updated_after=${since}&${query}`)
    return contents(body)
  }
  assert.deepEqual(await read(''), ['From Ann', 'two', 'one, changed'])
  assert.deepEqual(await read('sort=-updated_at&page_size=2'), ['one, changed', 'two'])
  assert.deepEqual(await read('sender_type=contact'), ['From Ann'])
  assert.deepEqual(await read('delivery_status=scheduled'), ['later'])
  assert.deepEqual(await read('delivery_status=scheduled,sent'), ['From Ann', 'two', 'later', 'one, changed'])
  assert.deepEqual(await read(`updated_before=${second.updated_at}`), ['From Ann'])
  assert.ok(!contents((await outsider.get('/messages')).body).includes('two'))
  assertProblems(await api.get('/messages?sort=created_at'), 'query.sort:enum')
})
