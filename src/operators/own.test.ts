import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEvents, makeTicket, nobody } from '../../test/cast.ts'
import { assertBrief, assertEnvelope } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { png } from '../../test/upload.ts'
import { endStatuses } from './status.ts'

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const rowOf = async ({ id, api }: Person) =>
  (await api.get('/operators')).body.items.find((one: { id: string }) => one.id === id)

test('a status ends at its end time, and not before', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const choice = { status: 'dnd', text: 'In a meeting', emoji: '📅', until }
  const { body } = await omar.api.put('/me/status', choice)
  assert.equal(`${body.status_until.slice(0, 23)}Z`, until)
  assert.equal(await endStatuses(server.db, server.acme.id), 0)
  assert.equal((await rowOf(omar)).status, 'dnd')
  await server.db`update operators set status_until = now() where id = ${omar.id}`
  assert.equal(await endStatuses(server.db, server.acme.id), 1)
  const row = await rowOf(omar)
  assert.deepEqual(
    [row.status, row.status_text, row.status_emoji, row.status_until],
    ['online', null, null, null],
  )
  const told = (await listEvents(server.db, server.acme)).filter(
    ({ type }) => type === 'operator.status.changed',
  )
  assert.deepEqual(told.at(-1)!.data, {
    user_id: omar.id,
    status: 'online',
    status_text: null,
    status_emoji: null,
  })
  assert.equal(await endStatuses(server.db, server.acme.id), 0)
})

test('a person without an open tab is not shown as online when their status ends', async () => {
  await omar.api.put('/me/status', { status: 'away', until: '2020-01-01T00:00:00Z' })
  await server.db`update operators set status = 'offline' where id = ${omar.id}`
  assert.equal(await endStatuses(server.db, server.acme.id), 1)
  assert.equal((await rowOf(omar)).status, 'offline')
})

test("a person's picture is shown to their project, and can be removed", async () => {
  const content = png(8, 8).toString('base64')
  const { body } = await olga.own.put('/me/picture', { content })
  const url: string = body.user.image
  assert.equal((await rowOf(olga)).avatar_url, url)
  const { origin } = new URL(server.url)
  const seen = await fetch(origin + url)
  assert.deepEqual([seen.status, seen.headers.get('x-content-type-options')], [200, 'nosniff'])
  assert.equal(Buffer.from(await seen.arrayBuffer()).toString('base64'), content)
  assert.equal((await rowOf(omar)).avatar_url, null)
  await olga.own.delete('/me/picture')
  assert.equal((await rowOf(olga)).avatar_url, null)
  assert.equal((await fetch(origin + url)).status, 404)
})

test('an upload that is not an image is refused', async () => {
  for (const bytes of ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'plain words']) {
    const answer = await olga.own.put('/me/picture', { content: Buffer.from(bytes).toString('base64') })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'content', reason: 'not_a_picture' })
  }
  assertBrief(await olga.own.get(`/pictures/${nobody}`), 404)
})

test('a reply that is repeated with its Idempotency-Key is posted once', async () => {
  const ticket = await makeTicket(server.api)
  const options = { headers: { 'idempotency-key': 'first' } }
  const reply = { content: 'Hello', undo_seconds: 10 }
  const path = `/tickets/${ticket.id}/messages`
  const answers = await Promise.all([1, 2, 3].map(() => omar.api.post(path, reply, options)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  const messages = (await omar.api.get(`${path}?delivery_status=scheduled`)).body.items
  assert.equal(messages.length, 1)
})

test('an Idempotency-Key applies to one person in one project', async () => {
  const options = { headers: { 'idempotency-key': 'shared' } }
  const ticket = await makeTicket(server.api)
  const path = `/tickets/${ticket.id}/messages`
  const first = await omar.api.post(path, { content: 'From Omar' }, options)
  const second = await olga.api.post(path, { content: 'From Olga' }, options)
  assert.notEqual(first.body.id, second.body.id)
  assertEnvelope(await rita.api.post(path, { content: 'From Rita' }, options), 404, 'TICKET_NOT_FOUND')
})

test('a person who joins another project keeps their picture', async () => {
  const person = await joinProject(server, server.acme, { name: 'Pia' })
  const { body } = await person.own.put('/me/picture', { content: png(8, 8).toString('base64') })
  const { email } = person
  const invited = (await rita.api.post('/operators', { name: 'Pia', email })).body
  await person.own.post(`/links/${new URL(invited.link.url).pathname.split('/').at(-1)}`, {})
  const row = (await rita.api.get('/operators')).body.items.find(
    ({ id }: Person) => id === invited.operator.id,
  )
  assert.equal(row.avatar_url, body.user.image)
})

test('operators cannot rate a ticket, only the API can', async () => {
  const ticket = await makeTicket(server.api)
  await server.api.post(`/tickets/${ticket.id}/close`)
  assert.equal((await olga.api.post(`/tickets/${ticket.id}/rate`, { rating: 5 })).status, 404)
  assert.equal((await server.api.post(`/tickets/${ticket.id}/rate`, { rating: 5 })).status, 200)
})
