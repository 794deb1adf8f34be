import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems, type Client } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

interface Listed {
  id: string
  count: number
  name: string | null
  is_capped: boolean
}

const viewsOf = async (api: Client): Promise<Listed[]> => (await api.get('/views')).body.items

const countOf = async (view: string, who = omar): Promise<number> =>
  (await viewsOf(who.api)).find(({ id }) => id === view)!.count

const idsIn = async (view: string, who = omar, more = ''): Promise<string[]> =>
  (await who.api.get(`/tickets?view=${view}&page_size=100${more}`)).body.items.map(
    ({ id }: { id: string }) => id,
  )

/** The built-in views that contain the ticket. */
async function placesOf({ id }: { id: string }): Promise<string[]> {
  const places = []
  for (const view of ['mine', 'unassigned', 'open', 'closed', 'snoozed', 'spam'])
    if ((await idsIn(view)).includes(id)) places.push(view)
  return places
}

test('each built-in view contains the right tickets', async () => {
  const mine = { operator_id: omar.id }
  assert.deepEqual(await placesOf(await makeTicket(api, mine)), ['mine', 'open'])
  assert.deepEqual(await placesOf(await makeTicket(api)), ['unassigned', 'open'])
  assert.deepEqual(await placesOf(await makeTicket(api, { ...mine, status: 'closed' })), ['closed'])
  const spam = await makeTicket(api, mine)
  await api.patch(`/tickets/${spam.id}`, { is_spam: true })
  assert.deepEqual(await placesOf(spam), ['spam'])
  const asleep = await makeTicket(api, mine)
  await api.patch(`/tickets/${asleep.id}`, { snoozed_until: '2999-01-01' })
  assert.deepEqual(await placesOf(asleep), ['snoozed'])
})

test('a list of given tickets contains those that are in the view, in its order', async () => {
  const [first, second] = [await makeTicket(api), await makeTicket(api)]
  const [closed, foreign] = [await makeTicket(api, { status: 'closed' }), await makeTicket(outsider)]
  const ids = [second, closed, first, foreign].map(({ id }) => id)
  const listed = await idsIn('open', omar, `&sort=created_at&ids=${[...ids, nobody, 'none'].join(',')}`)
  assert.deepEqual(listed, [first.id, second.id])
  assertProblems(await omar.api.get(`/tickets?ids=${Array(101).fill(nobody).join(',')}`), 'query.ids')
})

test('each view has the count of its tickets, except the view of all tickets', async () => {
  for (const { id, count, is_capped } of await viewsOf(omar.api)) {
    const { total } = (await omar.api.get(`/tickets?view=${id}`)).body
    if (id === 'all') assert.equal(count, null)
    else if (id !== 'mentions') assert.deepEqual([id, count, is_capped], [id, total, false])
  }
})

test('a person has a view for each of their departments, and an owner for all departments', async () => {
  const department = await makeDepartment(db, acme, unique())
  const nina = await joinProject(server, acme, { name: 'Nina' })
  await db`insert into department_operators values (${acme.id}, ${department.id}, ${nina.id})`
  const ticket = await makeTicket(api, { department_id: department.id })
  const [view] = (await viewsOf(nina.api)).filter(({ name }) => name === department.name)
  assert.deepEqual([view!.id, view!.count], [department.id, 1])
  assert.deepEqual(await idsIn(department.id, nina), [ticket.id])
  assert.ok(!(await viewsOf(omar.api)).some(({ id }) => id === department.id))
  const [ofOwner] = (await viewsOf(olga.api)).filter(({ id }) => id === department.id)
  assert.deepEqual([ofOwner!.name, ofOwner!.count], [department.name, 1])
  assert.ok(!(await viewsOf(rita.api)).some(({ id }) => id === department.id))
})

test('a list shows drafts and unread messages of each ticket, and combines a view with other filters', async () => {
  const ticket = await makeTicket(api, { contact: { email: 'ann@example.com', full_name: 'Ann Lee' } })
  await omar.api.put(`/tickets/${ticket.id}/draft`, { content: 'Dear Ann', version: 0 })
  const { items } = (await omar.api.get('/tickets?view=open&page_size=100')).body
  const row = items.find(({ id }: { id: string }) => id === ticket.id)
  assert.partialDeepStrictEqual(row, { has_draft: true, is_unread: false, unread_count: 0 })
  assert.partialDeepStrictEqual(row.contact, { full_name: 'Ann Lee', email: 'ann@example.com' })
  const urgent = await makeTicket(api, { priority: 'urgent' })
  assert.deepEqual(await idsIn('unassigned', omar, '&priority=urgent'), [urgent.id])
  assert.equal((await omar.api.get(`/tickets/${ticket.id}`)).body.has_draft, true)
})

test("a list shows a person's latest draft, and only to that person", async () => {
  const ticket = await makeTicket(api, { content: 'What was said' })
  const shown = async ({ api }: Person) => (await api.get(`/tickets/${ticket.id}`)).body.draft_preview
  assert.equal(await shown(omar), null)
  await omar.api.put(`/tickets/${ticket.id}/draft`, { content: '**Dear** Ann', version: 0 })
  await omar.api.put(`/tickets/${ticket.id}/draft`, { content: 'A note', is_internal: true, version: 0 })
  assert.deepEqual([await shown(omar), await shown(olga)], ['A note', null])
  const content = '**Dear** Ann \\*Lee\\*'
  const { body } = await omar.api.put(`/tickets/${ticket.id}/draft`, { content, version: 1 })
  assert.deepEqual([await shown(omar), body.preview], ['Dear Ann *Lee*', 'Dear Ann *Lee*'])
})

test('a saved view is private, and only admins can share one', async () => {
  const filters = { priority: ['high'], operator_id: ['me'] }
  const own = (await omar.api.post('/views', { name: 'Hot', filters })).body
  assert.deepEqual([own.kind, own.filters, own.is_shared], ['saved', filters, false])
  const [hot] = [await makeTicket(api, { priority: 'high', operator_id: omar.id })]
  await makeTicket(api, { priority: 'high' })
  assert.deepEqual([await idsIn(own.id), await countOf(own.id)], [[hot.id], 1])
  assertEnvelope(await olga.api.get(`/tickets?view=${own.id}`), 404, 'VIEW_NOT_FOUND')
  const sharing = { name: 'Ours', filters, is_shared: true }
  assertEnvelope(await omar.api.post('/views', sharing), 403, 'ROLE_REQUIRED')
  assertEnvelope(await omar.api.patch(`/views/${own.id}`, { is_shared: true }), 403, 'ROLE_REQUIRED')
  const shared = (await olga.api.post('/views', sharing)).body
  assert.equal((await countOf(shared.id)) + (await countOf(shared.id, olga)), 1)
  assertEnvelope(await omar.api.patch(`/views/${shared.id}`, { name: 'Mine' }), 403, 'ROLE_REQUIRED')
  assertEnvelope(await omar.api.delete(`/views/${shared.id}`), 403, 'ROLE_REQUIRED')
  assert.equal((await olga.api.patch(`/views/${shared.id}`, { name: 'All' })).body.name, 'All')
  assert.equal((await olga.api.delete(`/views/${shared.id}`)).status, 204)
  assert.equal((await omar.api.delete(`/views/${own.id}`)).status, 204)
  assertEnvelope(await omar.api.delete(`/views/${own.id}`), 404, 'VIEW_NOT_FOUND')
})

test('a view with words has no count, and filters are validated when a view is saved', async () => {
  const { id } = (await omar.api.post('/views', { name: 'Cards', filters: { q: 'card' } })).body
  assert.equal(await countOf(id), null)
  const wrong = await omar.api.post('/views', { name: 'Odd', filters: { status: ['eaten'] } })
  assertProblems(wrong, 'body.filters.status.0:enum')
})

test('the first twenty saved views are counted, up to 99', async () => {
  const nina = await joinProject(server, acme, { name: 'Nina' })
  const { id } = await makeTicket(api, { tags: ['many'] })
  await db`
    insert into tickets (project_id, id, number, contact_id, subject, tags, status, priority, channel, created_at)
    select project_id, uuid_v7(), 100000 + n, contact_id, 'One of many', tags, status, priority, channel, created_at
    from tickets, generate_series(1, 99) n where project_id = ${acme.id} and id = ${id}`
  for (let n = 1; n <= 22; n++)
    await nina.api.post('/views', { name: `View ${n}`, filters: { tag: [n === 1 ? 'many' : 'none'] } })
  const saved = (await viewsOf(nina.api)).filter(({ name }) => name?.startsWith('View '))
  const none = Array.from({ length: 19 }, () => [0, false])
  assert.deepEqual(
    saved.map(({ count, is_capped }) => [count, is_capped]),
    [[99, true], ...none, [null, false], [null, false]],
  )
  await db`delete from tickets where project_id = ${acme.id} and tags = array['many']`
})

test('an unknown view is 404', async () => {
  for (const view of ['nothing', nobody, 'constructor'])
    assertEnvelope(await omar.api.get(`/tickets?view=${view}`), 404, 'VIEW_NOT_FOUND')
})

test("Rival cannot see, change or delete Acme's views", async () => {
  const shared = (await olga.api.post('/views', { name: 'Ours', filters: {}, is_shared: true })).body
  const department = await makeDepartment(db, acme, unique())
  for (const id of [shared.id, department.id])
    assertEnvelope(await rita.api.get(`/tickets?view=${id}`), 404, 'VIEW_NOT_FOUND')
  assertEnvelope(await rita.api.patch(`/views/${shared.id}`, { name: 'x' }), 404, 'VIEW_NOT_FOUND')
  assertEnvelope(await rita.api.delete(`/views/${shared.id}`), 404, 'VIEW_NOT_FOUND')
  await makeTicket(outsider)
  assert.deepEqual(
    (await viewsOf(rita.api)).map(({ id, count }) => [id, count]),
    [
      ['mine', 0],
      ['unassigned', 2],
      ['mentions', 0],
      ['open', 2],
      ['closed', 0],
      ['snoozed', 0],
      ['all', null],
      ['spam', 0],
    ],
  )
})

test('a change based on an old version of a view is refused with the current one', async () => {
  const view = (await olga.api.post('/views', { name: 'Ours', filters: {}, is_shared: true })).body
  const change = (body: object, version: number, who = olga) =>
    who.api.patch(`/views/${view.id}`, body, { headers: { 'If-Match': `"${version}"` } })
  const adam = await joinProject(server, acme, { name: 'Adam', role: 'admin' })
  const answers = await Promise.all([
    change({ name: 'By Olga' }, view.version),
    change({ name: 'By Adam' }, view.version, adam),
  ])
  const [done, late] = answers.sort((one, other) => one.status - other.status)
  assert.deepEqual([done!.status, done!.body.version], [200, view.version + 1])
  assertEnvelope(late!, 412, 'SETTINGS_CHANGED', { current: done!.body })
  const listed = (await viewsOf(olga.api)).find(({ id }) => id === view.id)!
  assert.partialDeepStrictEqual(listed, { name: done!.body.name, version: view.version + 1 })
  const repeated = await change({ name: done!.body.name }, view.version)
  assert.deepEqual([repeated.status, repeated.body], [200, done!.body], 'a repeated change is no conflict')
  const kept = await change({}, view.version + 1)
  assert.deepEqual([kept.status, kept.body.version], [200, view.version + 1], 'nothing has changed')
  assert.equal((await olga.api.patch(`/views/${view.id}`, { name: 'Any version' })).body.name, 'Any version')
})

test('renaming a tag that a view names is a change of the view', async () => {
  const tag = (await olga.api.post('/tags', { name: unique() })).body
  const filters = { tag: [tag.name], conditions: { field: 'tags', op: 'has_any', value: [tag.name] } }
  const { status, text, body } = await omar.api.post('/views', { name: 'Tagged', filters })
  assert.equal(status, 201, text)
  const renamed = await olga.api.patch(`/tags/${tag.id}`, { name: unique() })
  assert.equal(renamed.status, 200, renamed.text)
  const late = await omar.api.patch(
    `/views/${body.id}`,
    { filters },
    { headers: { 'If-Match': `"${body.version}"` } },
  )
  assertEnvelope(late, 412, 'SETTINGS_CHANGED')
})
