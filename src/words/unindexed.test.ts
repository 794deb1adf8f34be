import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket, unique } from '../../test/cast.ts'
import { gatherWords } from '../../test/questions/gather.ts'
import { startServer } from '../../test/server.ts'
import { indexSome } from './words.ts'

const server = await startServer({ delivers: false })
const { api, outsider, acme, rival, db } = server
after(() => server.close())

const find = async (path: string, q: string): Promise<string[]> =>
  (await api.get(`${path}?q=${encodeURIComponent(q)}`)).body.items.map(({ id }: { id: string }) => id)

const versionOf = async (table: string, column: string, id: string): Promise<number> => {
  const [row] = await db`select min(search_version) as version from ${db(table)} where ${db(column)} = ${id}`
  return row!.version
}

/** Writes a message like a process of the previous version. */
const writeAsBefore = (ticket: string, content: string) => db`
  insert into messages (project_id, id, ticket_id, sender_type, content, content_format, channel, delivery_updated_at, created_at)
  values (${acme.id}, ${crypto.randomUUID()}, ${ticket}, 'contact', ${content}, 'text', 'api', now(), now())`

test('text that an older version writes is found by the old rule at once, and by the new rule after it is indexed', async () => {
  const { id } = await makeTicket(api)
  const word = `x${unique()}`
  await writeAsBefore(id, `${word} “Müller”`)
  assert.equal(await versionOf('messages', 'ticket_id', id), 1)
  assert.deepEqual(await find('/tickets', word), [id])
  assert.deepEqual(await find('/tickets', `${word} muller`), [])
  await gatherWords(server, rival.id)
  assert.equal(await versionOf('messages', 'ticket_id', id), 1)
  await gatherWords(server, acme.id)
  assert.equal(await versionOf('messages', 'ticket_id', id), 2)
  assert.deepEqual(await find('/tickets', `${word} muller`), [id])
})

test('a text that an older version changes is indexed again', async () => {
  const [before, later] = [`x${unique()}`, `x${unique()}`]
  const ticket = await makeTicket(api, { subject: before, content: before })
  await db`update messages set content = ${`“${later}”`} where ticket_id = ${ticket.id}`
  await db`update tickets set subject = ${`“${later}”`} where id = ${ticket.id}`
  await db`update contacts set full_name = ${`“${later}”`} where id = ${ticket.contact_id}`
  await gatherWords(server, acme.id)
  assert.deepEqual(await find('/tickets', before), [])
  assert.deepEqual(await find('/tickets', later), [ticket.id])
  assert.deepEqual(await find('/contacts', later), [ticket.contact_id])
})

test('indexing again changes neither versions nor times of records', async () => {
  const ticket = await makeTicket(api)
  const read = async () => [
    (await api.get(`/tickets/${ticket.id}`)).body,
    (await api.get(`/tickets/${ticket.id}/messages`)).body.items,
    (await api.get(`/contacts/${ticket.contact_id}`)).body,
  ]
  const before = await read()
  for (const table of ['messages', 'tickets', 'contacts'])
    await db`update ${db(table)} set search_version = 1 where project_id = ${acme.id}`
  await gatherWords(server, acme.id)
  assert.deepEqual(await read(), before)
})

test('a change by the API is indexed at once', async () => {
  const [subject, name, content] = [`s${unique()}`, `n${unique()}`, `c${unique()}`]
  const ticket = await makeTicket(api)
  await api.patch(`/tickets/${ticket.id}`, { subject, custom_fields: { colour: `“${subject}f”` } })
  await api.patch(`/contacts/${ticket.contact_id}`, {
    full_name: `“${name}”`,
    custom_fields: { shoe: `${name}f` },
  })
  const { body } = await api.post(`/tickets/${ticket.id}/messages`, { content: 'Before' })
  await api.patch(`/messages/${body.id}`, { content: `“${content}”` })
  for (const q of [subject, `${subject}f`, content])
    assert.deepEqual(await find('/tickets', q), [ticket.id], q)
  for (const q of [name, `${name}f`]) assert.deepEqual(await find('/contacts', q), [ticket.contact_id], q)
  for (const [table, column, id] of [
    ['tickets', 'id', ticket.id],
    ['messages', 'ticket_id', ticket.id],
    ['contacts', 'id', ticket.contact_id],
  ] as const)
    assert.equal(await versionOf(table, column, id), 2, table)
})

test('a change that keeps the same words stays indexed', async () => {
  const ticket = await makeTicket(api)
  const { body } = await api.post(`/tickets/${ticket.id}/messages`, { content: 'Grüße Müller' })
  await api.patch(`/messages/${body.id}`, { content: 'Grüße, Müller!' })
  assert.equal(await versionOf('messages', 'id', body.id), 2)
})

test('a subject written by an older version is found even if all messages are indexed', async () => {
  const { id } = await makeTicket(outsider)
  await db`update tickets set subject = 'half-finished/parcel' where id = ${id}`
  const { body } = await outsider.get('/tickets?q=half-finished/parcel')
  assert.deepEqual(
    body.items.map((ticket: { id: string }) => ticket.id),
    [id],
  )
})

test('an entry that Postgres refuses does not prevent others from being indexed', async () => {
  const { id } = await makeTicket(api)
  const [bad, good] = [`b${unique()}`, `g${unique()}`]
  await writeAsBefore(id, bad)
  await writeAsBefore(id, good)
  const count = await indexSome(db, acme.id, {
    table: 'messages',
    columns: ['content'],
    printIndex: ({ content }: { content: string }) => (content === bad ? 'x'.repeat(3_000) : good),
  })
  assert.equal(count, 2)
  assert.deepEqual(await find('/tickets', good), [id])
  assert.equal(await versionOf('messages', 'ticket_id', id), 2)
})
