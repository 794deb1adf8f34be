import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { updateTagFolds } from './refold.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const totalOf = async (tag: string) =>
  (await server.api.get(`/tickets?tag=${encodeURIComponent(tag)}`)).body.total

test('spellings that differ in case or in surrounding spaces are one tag, and the first spelling stays', async () => {
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

test('of several spellings sent at once, only one is stored', async () => {
  const own = unique()
  const spellings = [`vip ${own}`, `VIP ${own}`, `Vip ${own}`]
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, at) => makeTicket(server.api, { tags: [spellings[at % 3]] })),
  )
  assert.equal(new Set(made.flatMap(({ tags }) => tags)).size, 1)
})

test('tickets with an older spelling are found by every spelling', async () => {
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

test('a tag must have visible characters and no comma, which separates the values of a filter', async () => {
  for (const tag of ['', '   ', '\u200b', 'a,b']) {
    assertProblems(
      await server.api.post('/tickets', { contact: { email: 'a@x.io' }, tags: [tag] }),
      'body.tags.0',
    )
    assertProblems(await desk.admin.post('/tags', { name: tag }), 'body.name')
  }
})

test("the case of a tag's name can be changed, but not to that of another tag", async () => {
  const own = unique()
  const { body: tag } = await desk.admin.post('/tags', { name: `vip ${own}` })
  const other = (await desk.admin.post('/tags', { name: unique() })).body
  assertEnvelope(await desk.admin.post('/tags', { name: `VIP ${own}` }), 409, 'TAG_EXISTS')
  assertEnvelope(await desk.admin.patch(`/tags/${other.id}`, { name: `VIP ${own}` }), 409, 'TAG_EXISTS')
  assert.equal((await desk.admin.patch(`/tags/${tag.id}`, { name: `VIP ${own}` })).body.name, `VIP ${own}`)
})

/** Inserts a tag as migration 44 folded it, or without a fold, as a process of the previous version inserts it. */
async function addOld(name: string, isFolded = true) {
  const [row] = await server.db<{ id: string; name: string }[]>`
    insert into tags (project_id, id, name, folded)
    values (${server.acme.id}, uuid_v7(), ${name}, case when ${isFolded} then lower(${name} collate "C") end) returning id, name`
  return row!
}

const older = [
  ['ΟΔΟΣ', 'οδος'],
  ['ÄRGER', 'ärger'],
  ['e\u0301clair', 'ÉCLAIR'],
  [' blanks ', 'Blanks'],
] as const

for (const isFolded of [true, false])
  test(`a tag that the database folded ${isFolded ? 'differently' : 'not at all'} is one tag in every spelling`, async () => {
    for (const [word, other] of older) {
      const own = unique()
      const name = word.startsWith(' ') ? ` ${own}${word}` : `${own}${word}`
      await addOld(name, isFolded)
      await updateTagFolds(server.db)
      const spelling = `${own.toUpperCase()}${word.startsWith(' ') ? ' ' : ''}${other}`
      const { tags } = await makeTicket(server.api, { tags: [spelling] })
      assert.deepEqual(tags, [name])
      assert.equal(await totalOf(spelling), 1)
      assert.equal((await makeTicket(server.outsider, { tags: [spelling] })).tags[0], spelling)
    }
  })

test('of two older tags with the same fold, one is kept, and tickets with the other are found too', async () => {
  const own = unique()
  const [one, other] = [`${own} ΟΔΟΣ`, `${own} οδος`]
  for (const name of [one, other]) await addOld(name)
  for (const tags of [[one], [other]]) {
    const { id } = await makeTicket(server.api)
    await server.db`update tickets set tags = ${tags} where project_id = ${server.acme.id} and id = ${id}`
  }
  await updateTagFolds(server.db)
  await updateTagFolds(server.db)
  assert.deepEqual((await makeTicket(server.api, { tags: [`${own} Οδος`] })).tags, [other])
  for (const tag of [one, other, `${own} Οδος`]) assert.equal(await totalOf(tag), 3, tag)
})

test('contacts are found by every spelling of a tag', async () => {
  const own = unique()
  const { id } = await makeContact(server.api, { tags: [`VIP ${own}`] })
  for (const tag of [`VIP ${own}`, `vip ${own}`, `Vip ${own}`]) {
    const { items } = (await server.api.get(`/contacts?tag=${encodeURIComponent(tag)}`)).body
    assert.deepEqual(
      items.map((one: { id: string }) => one.id),
      [id],
      tag,
    )
  }
})
