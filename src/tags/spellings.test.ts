import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const totalOf = async (tag: string) =>
  (await server.api.get(`/tickets?tag=${encodeURIComponent(tag)}`)).body.total

test('capitals and blanks around it make no other tag: the first spelling stays', async () => {
  const own = unique()
  const first = await makeTicket(server.api, { tags: [` Éclair ${own} `] })
  assert.deepEqual(first.tags, [`Éclair ${own}`])
  const second = await makeTicket(server.api, { tags: [`e\u0301CLAIR ${own}`, `éclair ${own}`] })
  assert.deepEqual(second.tags, [`Éclair ${own}`])
  const contact = await makeContact(server.api, { tags: [`ÉCLAIR ${own}`] })
  assert.deepEqual(contact.tags, [`Éclair ${own}`])
  for (const path of [`/tickets/${second.id}`, `/contacts/${contact.id}`]) {
    const { body } = await server.api.patch(path, { tags: [`éclair ${own}`, 'x', 'X'] })
    assert.deepEqual(body.tags, [`Éclair ${own}`, 'x'])
  }
  const theirs = await makeTicket(server.outsider, { tags: [`éclair ${own}`] })
  assert.deepEqual(theirs.tags, [`éclair ${own}`])
  assert.equal(await totalOf(`ÉCLAIR ${own}`), 2)
})

test('of two spellings that come at the same moment one stays', async () => {
  const own = unique()
  const spellings = [`vip ${own}`, `VIP ${own}`, `Vip ${own}`]
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, at) => makeTicket(server.api, { tags: [spellings[at % 3]] })),
  )
  assert.equal(new Set(made.flatMap(({ tags }) => tags)).size, 1)
})

test('tickets with a spelling from before are found by every spelling', async () => {
  const own = unique()
  const { id } = await makeTicket(server.api, { tags: [`VIP ${own}`] })
  const older = await makeTicket(server.api)
  await server.db`insert into tags (project_id, id, name) values (${server.acme.id}, gen_random_uuid(), ${`vip ${own}`})`
  await server.db`update tickets set tags = ${[`vip ${own}`]} where project_id = ${server.acme.id} and id = ${older.id}`
  for (const tag of [`VIP ${own}`, `vip ${own}`]) assert.equal(await totalOf(tag), 2, tag)
  assert.deepEqual((await server.api.patch(`/tickets/${id}`, { tags: [`Vip ${own}`] })).body.tags, [
    `VIP ${own}`,
  ])
})

test('a tag has something to see and no comma, which divides the words of a filter', async () => {
  for (const tag of ['', '   ', '\u200b', 'a,b']) {
    assertProblems(
      await server.api.post('/tickets', { contact: { email: 'a@x.io' }, tags: [tag] }),
      'body.tags.0',
    )
    assertProblems(await desk.admin.post('/tags', { name: tag }), 'body.name')
  }
})

test('a tag may be given other capitals, and not those of another tag', async () => {
  const own = unique()
  const { body: tag } = await desk.admin.post('/tags', { name: `vip ${own}` })
  const other = (await desk.admin.post('/tags', { name: unique() })).body
  assertEnvelope(await desk.admin.post('/tags', { name: `VIP ${own}` }), 409, 'TAG_EXISTS')
  assertEnvelope(await desk.admin.patch(`/tags/${other.id}`, { name: `VIP ${own}` }), 409, 'TAG_EXISTS')
  assert.equal((await desk.admin.patch(`/tags/${tag.id}`, { name: `VIP ${own}` })).body.name, `VIP ${own}`)
})
