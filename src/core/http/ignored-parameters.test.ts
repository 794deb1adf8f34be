import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeContact, makeMessage, makeTicket, unique } from '../../../test/cast.ts'
import type { Answer } from '../../../test/client.ts'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const namesIn = ({ headers }: Answer) => headers.get('x-ignored-parameters')

test('a response names the query parameters that its operation does not know', async () => {
  const { api, stranger } = server
  const misspelt = await api.get('/tickets?statuss=open&page_size=1&pagesize=2')
  assert.deepEqual([misspelt.status, namesIn(misspelt)], [200, 'statuss, pagesize'])
  assert.equal(namesIn(await api.get('/tickets?status=open&cursor=')), null)
  assert.equal(namesIn(await api.get('/tickets?page_size=x&sorted=1')), 'sorted', 'also where it fails')
  assert.equal(namesIn(await api.get('/project?toString=1')), 'toString', 'also where no parameter is known')
  assert.equal(namesIn(await stranger.get('/openapi.json?v=2')), 'v', 'also without a key')
  assert.equal(namesIn(await api.post('/contacts?dry_run=1', { email: 'a@example.com' })), 'dry_run')
  assert.equal(namesIn(await desk.admin.get('/requests?stat=4xx')), 'stat', 'also in the dashboard')
})

test('names with any characters, and many names, fit into the header', async () => {
  const hostile = await server.api.get('/tickets?a%0d%0ab,c=1&%F0%9F%98%80=1&%00=1')
  assert.deepEqual([hostile.status, namesIn(hostile)], [200, 'a%0D%0Ab%2Cc, %F0%9F%98%80, %00'])
  const query = Array.from({ length: 30 }, (_, at) => `${'€'.repeat(40)}${at}=1`).join('&')
  const many = await server.api.get(`/tags?${query}`)
  assert.ok(namesIn(many)!.length < 3_000)
})

test('the request log contains the names of ignored parameters', async () => {
  const requestId = unique()
  await server.api.get('/tickets?statuss=open', { headers: { 'x-request-id': requestId } })
  const find = async () => (await desk.admin.get(`/requests?request_id=${requestId}`)).body.items[0]
  assert.deepEqual((await until(find)).ignored, ['statuss'])
})

/** PATCHes a record, and returns the changes and the events that this caused. */
async function patched(path: string, body: object) {
  const before = await server.api.get(path)
  let answer: Answer | undefined
  const events = await eventsOf(server, async () => {
    answer = await server.api.patch(path, body)
  })
  assert.equal(answer!.status, 200, answer!.text)
  assert.equal(answer!.headers.get('etag'), before.headers.get('etag'), path)
  assert.deepEqual(answer!.body, before.body)
  return events.map(({ type, data }) => [type, data])
}

const sameTicket = {
  subject: 'Same',
  priority: 'low',
  tags: ['a'],
  custom_fields: { b: [1], gone: null },
  operator_id: null,
  department_id: null,
  external_id: null,
  is_spam: false,
  snoozed_until: null,
}

test('a PATCH of a ticket that changes nothing does not increase the version, and emits ticket.updated like every PATCH', async () => {
  const { subject, priority, tags } = sameTicket
  const { id } = await makeTicket(server.api, { subject, priority, tags, custom_fields: { b: [1], a: 'x' } })
  const path = `/tickets/${id}`
  const updated = [['ticket.updated', { ticket_id: id, workspace_id: server.acme.id }]]
  for (const body of [{}, { statuss: 'open' }, { status: 'new' }, sameTicket])
    assert.deepEqual(await patched(path, body), updated)
  const until = '2999-01-01T10:00:00'
  await server.api.patch(path, { snoozed_until: until })
  assert.deepEqual(await patched(path, { status: 'on_hold', snoozed_until: `${until}Z` }), updated)
})

test('a PATCH of a contact, message or webhook that changes nothing does not increase the version and emits nothing', async () => {
  const { api } = server
  const email = `${unique()}@example.com`
  const { id } = await makeContact(api, { email, tags: ['a'], custom_fields: { a: 1 } })
  await api.patch(`/contacts/${id}`, { is_blocked: true })
  const same = { email, tags: ['a'], custom_fields: { a: 1 }, note: null, is_blocked: true, phone: null }
  for (const body of [{}, { noet: 'x' }, same]) assert.deepEqual(await patched(`/contacts/${id}`, body), [])

  const message = await makeMessage(api, (await makeTicket(api)).id, { content: 'Same' })
  for (const body of [{ content: 'Same' }, { content: 'Same', content_format: 'text', x: 1 }])
    assert.deepEqual(await patched(`/messages/${message.id}`, body), [])

  const { body: webhook } = await api.post('/webhooks', { url: 'https://example.com/hook' })
  const { url, events, is_active } = webhook
  for (const body of [{}, { urls: 'x' }, { url, events, is_active, description: '' }])
    assert.deepEqual(await patched(`/webhooks/${webhook.id}`, body), [])
  const changed = await api.patch(`/webhooks/${webhook.id}`, { description: 'Ours' })
  assert.equal(changed.headers.get('etag'), '"2"')
})
