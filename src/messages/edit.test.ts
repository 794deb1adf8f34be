import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db } = server
after(() => server.close())

const ticket = await makeTicket(api)

const paths = {
  'under /messages': (message: { id: string }) => `/messages/${message.id}`,
  'under its ticket': (message: { id: string }) => `/tickets/${ticket.id}/messages/${message.id}`,
  "under its ticket's number": (message: { id: string }) =>
    `/tickets/${ticket.short_id}/messages/${message.id}`,
}

for (const [name, pathOf] of Object.entries(paths)) {
  test(`editing ${name} changes the content and emits message.edited`, async () => {
    const message = await makeMessage(api, ticket.id, { content: 'Old', is_internal: true })
    const events = await eventsOf(server, async () => {
      const { status, body } = await api.patch(pathOf(message), { content: 'New' })
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(body, { id: message.id, content: 'New', content_html: '<p>New</p>' })
      assert.ok(body.edited_at >= message.created_at && body.version > message.version)
    })
    assert.deepEqual(
      events.map(event => event.type),
      ['message.edited'],
    )
    const { edited_at } = (await api.get(`/messages/${message.id}`)).body
    assert.deepEqual(events[0]!.data, {
      ...{ id: message.id, message_id: message.id, ticket_id: ticket.id, content: 'New', is_internal: true },
      edited_at,
    })
  })

  test(`spec 4.2 editing a system message: a system message ${name} cannot be edited`, async () => {
    await api.post(`/tickets/${ticket.id}/close`)
    await api.post(`/tickets/${ticket.id}/reopen`)
    const { items } = (await api.get(`/tickets/${ticket.id}/messages?sender_type=system`)).body
    const events = await eventsOf(server, async () => {
      const answer = await api.patch(pathOf(items[0]), { content: 'New' })
      assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'message_id', reason: 'system_message' })
    })
    assert.deepEqual(events, [])
    assert.deepEqual((await api.get(`/messages/${items[0].id}`)).body, items[0])
  })
}

test('editing the last message changes the preview in its ticket', async () => {
  const message = await makeMessage(api, ticket.id, { content: 'Old' })
  await api.patch(`/messages/${message.id}`, { content: 'Brand new' })
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.last_message.preview, 'Brand new')
})

test('blank content is MESSAGE_EMPTY', async () => {
  const message = await makeMessage(api, ticket.id)
  for (const content of ['', ' \n', '\u00a0']) {
    const events = await eventsOf(server, async () =>
      assertEnvelope(await api.patch(`/messages/${message.id}`, { content }), 422, 'MESSAGE_EMPTY'),
    )
    assert.deepEqual(events, [])
  }
})

test('content is required, must be text, and has at most 65,536 characters', async () => {
  const path = `/messages/${(await makeMessage(api, ticket.id)).id}`
  assertProblems(await api.patch(path, {}), 'body.content:missing')
  assertProblems(await api.patch(path, { content: null }), 'body.content:string_type')
  assertProblems(await api.patch(path, { content: 'x'.repeat(65_537) }), 'body.content:string_too_long')
  assertProblems(await api.patch(path, { content: 'x', content_format: 'rtf' }), 'body.content_format:enum')
})

test('content_format stays the same unless it is sent', async () => {
  const message = await makeMessage(api, ticket.id, { content: '**a**', content_format: 'markdown' })
  const edited = (await api.patch(`/messages/${message.id}`, { content: '**b**' })).body
  assert.deepEqual([edited.content_format, edited.content_html], ['markdown', '<p><strong>b</strong></p>'])
  const plain = (await api.patch(`/messages/${message.id}`, { content: '**c**', content_format: 'text' }))
    .body
  assert.deepEqual([plain.content_format, plain.content_html], ['text', '<p>**c**</p>'])
})

test('editing a sent e-mail changes only the stored copy, and the message says so', async () => {
  const message = await makeMessage(api, ticket.id)
  await db`update messages set channel = 'email' where id = ${message.id}`
  const { status, body } = await api.patch(`/messages/${message.id}`, { content: 'New' })
  assert.deepEqual([status, body.content, body.delivery.error], [200, 'New', 'edit_not_propagated'])
})

test('If-Match with a stale version is 412', async () => {
  const message = await makeMessage(api, ticket.id)
  const headers = { 'if-match': `"${message.version}"` }
  assert.equal((await api.patch(`/messages/${message.id}`, { content: 'A' }, { headers })).status, 200)
  assertBrief(await api.patch(`/messages/${message.id}`, { content: 'B' }, { headers }), 412)
  assert.equal((await api.get(`/messages/${message.id}`)).body.content, 'A')
})

test('a missing message, one of Rival and one of another ticket are 404', async () => {
  const message = await makeMessage(api, ticket.id)
  const other = await makeTicket(api)
  const theirs = await makeMessage(outsider, (await makeTicket(outsider)).id)
  const edit = (path: string) => api.patch(path, { content: 'x' })
  for (const id of [theirs.id, nobody, 'nope']) {
    assertEnvelope(await edit(`/messages/${id}`), 404, 'MESSAGE_NOT_FOUND')
    assertEnvelope(await edit(`/tickets/${ticket.id}/messages/${id}`), 404, 'MESSAGE_NOT_FOUND')
    assertEnvelope(await api.get(`/messages/${id}`), 404, 'MESSAGE_NOT_FOUND')
  }
  assertEnvelope(await edit(`/tickets/${other.id}/messages/${message.id}`), 404, 'MESSAGE_NOT_FOUND')
  assertEnvelope(await edit(`/tickets/${nobody}/messages/${message.id}`), 404, 'TICKET_NOT_FOUND')
  assert.equal((await api.get(`/messages/${message.id}`)).body.content, 'Hello')
})

test('20 simultaneous edits emit 20 events, and the last event has the final content', async () => {
  const message = await makeMessage(api, ticket.id)
  const events = await eventsOf(server, () =>
    Promise.all(
      Array.from({ length: 20 }, (_, at) => api.patch(`/messages/${message.id}`, { content: `v${at}` })),
    ),
  )
  assert.equal(events.length, 20)
  const { content, version } = (await api.get(`/messages/${message.id}`)).body
  assert.equal(events.at(-1)!.data.content, content)
  assert.equal(version, message.version + 20)
})
