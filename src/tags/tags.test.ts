import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket } from '../../test/cast.ts'
import type { Client } from '../../test/client.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.get('/tags')).body.items.map((tag: { name: string }) => tag.name)

test('every tag of a ticket or a contact is listed once, and not to Rival', async () => {
  const { api, outsider } = server
  const { id } = await makeTicket(api, { tags: ['vip', 'beta', 'vip'] })
  assert.deepEqual((await namesOf(api)).sort(), ['beta', 'vip'])
  await api.patch(`/tickets/${id}`, { tags: ['vip', 'refund'] })
  const contact = await makeContact(api, { tags: ['partner'] })
  await api.patch(`/contacts/${contact.id}`, { tags: ['partner', 'vip', 'press'] })
  assert.deepEqual((await namesOf(api)).sort(), ['beta', 'partner', 'press', 'refund', 'vip'])
  assert.deepEqual(await namesOf(outsider), [])
})

test('tickets with the same new tags, created at once, are all created', async () => {
  const lists = [
    ['a1', 'b1', 'c1'],
    ['c1', 'b1', 'a1'],
    ['b1', 'c1', 'a1'],
  ]
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, at) => makeTicket(server.api, { tags: lists[at % 3] })),
  )
  assert.equal(made.length, 12)
  const names = await namesOf(server.api)
  for (const name of lists[0]!) assert.equal(names.filter(known => known === name).length, 1)
})

test('the list of tags has pages', async () => {
  await makeTicket(server.outsider, { tags: ['one', 'two', 'three'] })
  const first = await server.outsider.get('/tags?page_size=2')
  assert.deepEqual([first.body.total, first.body.pages, first.body.items.length], [3, 2, 2])
  const second = await server.outsider.get(`/tags?page_size=2&cursor=${first.body.next_cursor}`)
  const all = [...first.body.items, ...second.body.items].map(tag => tag.name)
  assert.deepEqual(all.sort(), ['one', 'three', 'two'])
})
