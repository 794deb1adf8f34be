import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeContact, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems, type Client } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import type { View } from '../views/schema.ts'
import { applyTagChanges } from './apply-changes.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const make = async () => (await desk.admin.post('/tags', { name: unique() })).body
const tagsOf = async (path: string) => (await server.api.get(path)).body.tags
const names = async (client = desk.operator) =>
  (await client.get('/tags')).body.items.map((one: { name: string }) => one.name)
const tagsIn = async (articleId: string) =>
  (await server.db`select tags from articles where id = ${articleId}`)[0]!.tags
const finish = async () => {
  while (await applyTagChanges(server.db, server.acme.id));
}

test('renaming a tag changes it on all tickets and contacts of its project, and of no other', async () => {
  const { id, name } = await make()
  const other = unique()
  const ticket = await makeTicket(server.api, { tags: ['first', name, 'last'] })
  const contact = await makeContact(server.api, { tags: [name] })
  const theirs = await makeTicket(server.outsider, { tags: [name] })
  const renamed = await desk.admin.patch(`/tags/${id}`, { name: other, color: '#ff0000' })
  assert.partialDeepStrictEqual(renamed.body, { id, name: other, color: '#ff0000', is_changing: true })
  await finish()
  assert.deepEqual(await tagsOf(`/tickets/${ticket.id}`), ['first', other, 'last'])
  assert.deepEqual(await tagsOf(`/contacts/${contact.id}`), [other])
  assert.deepEqual((await server.outsider.get(`/tickets/${theirs.id}`)).body.tags, [name])
  const now = await names()
  assert.ok(now.includes(other) && !now.includes(name))
  assert.ok((await names(desk.stranger)).includes(name))
})

test('merging a tag into another replaces it on tickets, which then have the other once', async () => {
  const [from, into] = [await make(), await make()]
  const both = await makeTicket(server.api, { tags: [from.name, into.name] })
  const one = await makeTicket(server.api, { tags: [from.name] })
  const merged = await desk.admin.post(`/tags/${from.id}/merge`, { into_tag_id: into.id })
  assert.equal(merged.body.id, into.id)
  await finish()
  assert.deepEqual(await tagsOf(`/tickets/${both.id}`), [into.name])
  assert.deepEqual(await tagsOf(`/tickets/${one.id}`), [into.name])
})

test('renaming and merging a tag change saved views and articles at once, only in its project', async () => {
  const [from, into] = [await make(), await make()]
  const view = (
    await desk.operator.post('/views', { name: 'V', filters: { tag: ['x', from.name, into.name] } })
  ).body
  const theirs = (await desk.stranger.post('/views', { name: 'V', filters: { tag: [from.name] } })).body
  const article = await makeArticle(server.db, server.acme, { tags: [from.name, 'x'] })
  const foreign = await makeArticle(server.db, server.rival, { tags: [from.name] })
  const filterOf = async (client: Client, id: string) =>
    (await client.get('/views')).body.items.find((one: { id: string }) => one.id === id).filters.tag
  const renamed = unique()
  await desk.admin.patch(`/tags/${from.id}`, { name: renamed })
  assert.deepEqual(await filterOf(desk.operator, view.id), ['x', renamed, into.name])
  assert.deepEqual(await tagsIn(article.id), [renamed, 'x'])
  await desk.admin.post(`/tags/${from.id}/merge`, { into_tag_id: into.id })
  assert.deepEqual(await filterOf(desk.operator, view.id), ['x', into.name])
  assert.deepEqual(await tagsIn(article.id), [into.name, 'x'])
  assert.deepEqual(await filterOf(desk.stranger, theirs.id), [from.name])
  assert.deepEqual(await tagsIn(foreign.id), [from.name])
  await finish()
})

test('deleting a tag removes it from saved views and articles at once, only in its project', async () => {
  const { id, name } = await make()
  const other = unique()
  await makeTicket(server.api, { tags: [other] })
  const save = async (tag: string[], client = desk.operator) =>
    (await client.post('/views', { name: unique(), filters: { tag, is_snoozed: false } })).body.id
  const [both, only, theirs] = [
    await save([name, other]),
    await save([name]),
    await save([name], desk.stranger),
  ]
  const article = await makeArticle(server.db, server.acme, { tags: ['x', name] })
  const foreign = await makeArticle(server.db, server.rival, { tags: [name] })
  await desk.admin.delete(`/tags/${id}`)
  const shown = async (view: string, client = desk.operator) => {
    const { filters, count } = (await client.get('/views')).body.items.find((one: View) => one.id === view)
    assert.equal((await client.get(`/tickets?view=${view}`)).body.total, count)
    return [filters, count]
  }
  assert.deepEqual(await shown(both), [{ tag: [other], is_snoozed: false }, 1])
  assert.deepEqual(
    await shown(only),
    [{ tag: [], is_snoozed: false }, 0],
    'an empty list of tags matches no ticket',
  )
  assert.deepEqual((await shown(theirs, desk.stranger))[0], { tag: [name], is_snoozed: false })
  assert.deepEqual(await tagsIn(article.id), ['x'])
  assert.deepEqual(await tagsIn(foreign.id), [name])
  await finish()
})

test('renaming a tag emits ticket.updated once for each open ticket, and only raises updated_at of closed ones', async () => {
  const { id, name } = await make()
  const [open, closed] = [
    await makeTicket(server.api, { tags: [name] }),
    await makeTicket(server.api, { tags: [name] }),
  ]
  await server.api.post(`/tickets/${closed.id}/close`)
  const updatedOf = async (ticket: { id: string }) =>
    (await server.api.get(`/tickets/${ticket.id}`)).body.updated_at
  const before = [await updatedOf(open), await updatedOf(closed)]
  const events = await eventsOf(server, async () => {
    await desk.admin.patch(`/tags/${id}`, { name: unique() })
    await finish()
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [['ticket.updated', { ticket_id: open.id, cause: 'tag_changed' }]],
  )
  assert.ok((await updatedOf(open)) > before[0]!)
  assert.ok((await updatedOf(closed)) > before[1]!)
})

test('deleting a tag removes it from tickets and from the list of tags', async () => {
  const { id, name } = await make()
  const ticket = await makeTicket(server.api, { tags: ['kept', name] })
  assert.equal((await desk.admin.delete(`/tags/${id}`)).status, 204)
  await finish()
  assert.deepEqual(await tagsOf(`/tickets/${ticket.id}`), ['kept'])
  assert.ok(!(await names()).includes(name))
})

test('successive changes of a tag are applied in their order to all records', async () => {
  const { id, name } = await make()
  const many = await Promise.all(Array.from({ length: 12 }, () => makeTicket(server.api, { tags: [name] })))
  const [second, third] = [unique(), unique()]
  await desk.admin.patch(`/tags/${id}`, { name: second })
  await desk.admin.patch(`/tags/${id}`, { name: third })
  await finish()
  for (const ticket of many) assert.deepEqual(await tagsOf(`/tickets/${ticket.id}`), [third])
})

test('a name in use is refused, and tags of another project are not found', async () => {
  const [one, other] = [await make(), await make()]
  assertEnvelope(await desk.admin.post('/tags', { name: one.name }), 409, 'TAG_EXISTS')
  assertEnvelope(await desk.admin.patch(`/tags/${other.id}`, { name: one.name }), 409, 'TAG_EXISTS')
  assertProblems(await desk.admin.post('/tags', { name: ' ', color: 'red' }), 'body.name', 'body.color')
  const same = await desk.admin.post(`/tags/${one.id}/merge`, { into_tag_id: one.id })
  assertEnvelope(same, 422, 'VALIDATION_ERROR', { reason: 'same' })
  for (const id of [one.id, nobody, 'x']) {
    assertEnvelope(await desk.stranger.patch(`/tags/${id}`, { name: 'x' }), 404, 'TAG_NOT_FOUND')
    assertEnvelope(await desk.stranger.delete(`/tags/${id}`), 404, 'TAG_NOT_FOUND')
  }
  const theirs = (await desk.stranger.post('/tags', { name: unique() })).body
  const foreign = await desk.admin.post(`/tags/${one.id}/merge`, { into_tag_id: theirs.id })
  assertEnvelope(foreign, 404, 'TAG_NOT_FOUND')
})

test('only admins change tags, and changes are in the audit log', async () => {
  const { id } = await make()
  for (const answer of [
    await desk.operator.post('/tags', { name: 'x' }),
    await desk.operator.patch(`/tags/${id}`, { name: 'x' }),
    await desk.operator.post(`/tags/${id}/merge`, { into_tag_id: nobody }),
    await desk.operator.delete(`/tags/${id}`),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
  await desk.admin.patch(`/tags/${id}`, { color: '#00ff00' })
  const [entry] = (await desk.admin.get(`/audit?target_id=${id}`)).body.items
  assert.deepEqual(entry.detail, { before: { color: null }, after: { color: '#00ff00' } })
})
