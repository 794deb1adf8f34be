import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeFile, makeMessage, makeTicket, nobody, typesOf, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { sendDueMessages } from '../tickets/tickets.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const ticket = await makeTicket(api)
const post = (fields: object, to: { id: string } = ticket) => api.post(`/tickets/${to.id}/messages`, fields)

test("spec 4.2 POST messages 201: posting a message returns the whole record, with the project's bot as the sender", async () => {
  const { status, body } = await post({ content: 'Hello' })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, {
    ...{ ticket_id: ticket.id, workspace_id: acme.id, sender_type: 'bot', sender_id: acme.id },
    ...{ content: 'Hello', content_format: 'text', content_html: '<p>Hello</p>', is_internal: false },
    ...{ sender_avatar_url: null, reply_to_id: null, channel: 'api', external_id: null, email: null },
    ...{
      system: null,
      edited_at: null,
      deleted_at: null,
      delivery: { status: 'sent', error: null, attempts: 1 },
    },
  })
  assert.deepEqual([body.media, body.reactions], [[], []])
  assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
  const self = `/api/v1/messages/${body.id}`
  const about = `/api/v1/tickets/${ticket.id}`
  assert.deepEqual(body._links, { self, ticket: about, messages: `${about}/messages` })
  assert.deepEqual((await api.get(`/messages/${body.id}`)).body, body)
})

test('a message without visible content is MESSAGE_EMPTY, in every format', async () => {
  for (const [content, content_format = 'text'] of [
    ['\u200b\u2800 \n'],
    ['<p></p><br>', 'html'],
    ['<!-- x --><p><!-- <b>y</b> --></p>', 'html'],
    ['<p>&nbsp;&#8203;</p>', 'html'],
    ['\u200b', 'markdown'],
  ])
    assertEnvelope(await post({ content, content_format }), 422, 'MESSAGE_EMPTY')
  for (const content of ['<img src="https://a.example/b.png">', '<hr>', '<p>.</p>', '&lt;', '<!-- x'])
    assert.equal((await post({ content, content_format: 'html' })).status, 201, content)
  const { id } = (await post({ content: '<p>x</p>', content_format: 'html' })).body
  assertEnvelope(await api.patch(`/messages/${id}`, { content: '<p></p>' }), 422, 'MESSAGE_EMPTY')
})

test('posting emits message.created and nothing else', async () => {
  assert.deepEqual(await typesOf(server, () => post({ content: 'Hello' })), ['message.created'])
})

test("sender_name is the bot's display name", async () => {
  assert.equal((await post({ content: 'x', sender_name: 'Robo' })).body.sender_name, 'Robo')
})

test('a message updates the count, the last message and updated_at of its ticket', async () => {
  const before = await makeTicket(api)
  const message = await makeMessage(api, before.id, { content: `Hello ${'x'.repeat(300)}` })
  const { body } = await api.get(`/tickets/${before.id}`)
  assert.partialDeepStrictEqual(body, {
    messages_count: 1,
    last_message: { id: message.id, sender_type: 'bot' },
  })
  assert.ok(body.last_message.preview.startsWith('Hello x') && body.last_message.preview.length <= 140)
  assert.ok(body.updated_at > before.updated_at)
  assert.equal(body.last_message.created_at, message.created_at)
})

test('the preview of a message without text lists the names of its files', async () => {
  const before = await makeTicket(api)
  const files = [await makeFile(db, acme), await makeFile(db, acme)]
  await makeMessage(api, before.id, { content: '', media_ids: files })
  const { body } = await api.get(`/tickets/${before.id}`)
  assert.equal(body.last_message.preview, 'a.png, a.png')
})

test('messages of the bot and notes do not change the status of a ticket', async () => {
  for (const status of ['new', 'pending', 'on_hold', 'closed']) {
    const one = await makeTicket(api, { status })
    for (const is_internal of [false, true]) {
      const types = await typesOf(server, () => makeMessage(api, one.id, { is_internal }))
      assert.deepEqual(types, ['message.created'])
    }
    assert.equal((await api.get(`/tickets/${one.id}`)).body.status, status)
  }
})

test('an internal note is marked as internal, in its event too', async () => {
  const events = await eventsOf(server, async () => {
    assert.equal((await post({ content: 'Note', is_internal: true })).body.is_internal, true)
  })
  assert.equal(events[0]!.data.is_internal, true)
})

test('spec 4.2 POST messages MESSAGE_EMPTY: a message without content and files is refused with MESSAGE_EMPTY, and emits no event', async () => {
  for (const body of [
    {},
    { content: '' },
    { content: ' \n\t' },
    { content: null },
    { content: ' ', media_ids: [] },
  ]) {
    const events = await eventsOf(server, async () => assertEnvelope(await post(body), 422, 'MESSAGE_EMPTY'))
    assert.deepEqual(events, [])
  }
})

test('content has at most 65,536 characters', async () => {
  assert.equal((await post({ content: 'é'.repeat(65_536) })).status, 201)
  assertProblems(await post({ content: 'x'.repeat(65_537) }), 'body.content:string_too_long')
})

test('content is stored without any change', async () => {
  const content = ' \u202eabc\u0001\ud83e\udd93\n\n  é\u0301 "\\" </script> '
  assert.equal((await post({ content })).body.content, content)
})

test('spec 4.2 POST messages media_ids: up to 10 files are attached, in the order sent', async () => {
  const files = await Promise.all(Array.from({ length: 10 }, () => makeFile(db, acme)))
  const sent = [...files].reverse()
  const { status, body } = await post({ media_ids: sent })
  assert.equal(status, 201)
  assert.deepEqual(
    body.media.map((file: { id: string }) => file.id),
    sent,
  )
  assert.deepEqual(body.media[0], {
    ...{ id: sent[0], filename: 'a.png', content_type: 'image/png', size: 5120, kind: 'image' },
    ...{ width: null, height: null, duration: null, url: `/api/v1/media/${sent[0]}`, thumb_url: null },
  })
  assert.deepEqual((await api.get(`/messages/${body.id}`)).body.media, body.media)
  assertProblems(await post({ media_ids: [...files, nobody] }), 'body.media_ids:too_long')
})

test("spec 4.2 POST messages media_ids: files that are Rival's, unknown, malformed or already attached are VALIDATION_ERROR with their ids", async () => {
  const used = await makeFile(db, acme)
  await post({ media_ids: [used] })
  for (const bad of [await makeFile(db, rival), nobody, 'nope', used]) {
    const good = await makeFile(db, acme)
    const events = await eventsOf(server, async () => {
      const answer = await post({ content: 'x', media_ids: [good, bad] })
      assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'media_ids', reason: 'not_found' })
      const { ids, already_used } = answer.body.detail
      assert.deepEqual([ids, already_used], [[bad], bad === used ? [used] : undefined])
    })
    assert.deepEqual(events, [])
    assert.equal((await post({ media_ids: [good] })).status, 201)
  }
})

test('a file sent with several messages at once is attached to only one of them', async () => {
  const file = await makeFile(db, acme)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post({ content: 'x', media_ids: [file] })),
  )
  assert.deepEqual(answers.map(answer => answer.status).sort(), [201, ...Array(9).fill(422)])
})

test('a used external_id returns 200 with the earlier message, and emits nothing', async () => {
  const external_id = unique()
  const first = await post({ content: 'One', external_id })
  assert.equal(first.status, 201)
  const events = await eventsOf(server, async () => {
    const again = await post({ content: 'Two', external_id })
    assert.deepEqual([again.status, again.body], [200, first.body])
  })
  assert.deepEqual(events, [])
})

test('a used external_id returns 200 even though its file is already attached', async () => {
  const body = {
    ...{ content: 'One', external_id: unique(), media_ids: [await makeFile(db, acme)] },
    reply_to_id: (await makeMessage(api, ticket.id)).id,
  }
  const first = await post(body)
  assert.equal(first.status, 201)
  const again = await post(body)
  assert.deepEqual([again.status, again.body], [200, first.body])
})

test('an external_id is unique within a project, not between projects', async () => {
  const external_id = unique()
  await post({ content: 'Ours', external_id })
  const theirs = await makeTicket(outsider)
  const answer = await outsider.post(`/tickets/${theirs.id}/messages`, { content: 'Theirs', external_id })
  assert.deepEqual([answer.status, answer.body.content], [201, 'Theirs'])
})

test('20 simultaneous posts with one external_id create one message and one event', async () => {
  const external_id = unique()
  const events = await eventsOf(server, async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ content: 'x', external_id })))
    assert.deepEqual(answers.map(answer => answer.status).sort(), [...Array(19).fill(200), 201])
    assert.equal(new Set(answers.map(answer => answer.body.id)).size, 1)
  })
  assert.equal(events.length, 1)
})

test('reply_to_id must be a message of the same ticket', async () => {
  const first = await makeMessage(api, ticket.id)
  assert.equal((await post({ content: 'Re', reply_to_id: first.id })).body.reply_to_id, first.id)
  const elsewhere = await makeMessage(api, (await makeTicket(api)).id)
  const foreign = await makeMessage(outsider, (await makeTicket(outsider)).id)
  for (const reply_to_id of [elsewhere.id, foreign.id, nobody, 'nope']) {
    assertEnvelope(await post({ content: 'Re', reply_to_id }), 422, 'VALIDATION_ERROR', {
      field: 'reply_to_id',
    })
  }
})

test('values of the wrong type are schema mismatches', async () => {
  const wrong = {
    ...{
      content: 5,
      content_format: 'rtf',
      media_ids: 'x',
      is_internal: 'no',
      reply_to_id: 1,
      external_id: '',
    },
    ...{ sender_name: [], send_at: 'soon' },
  }
  for (const [field, value] of Object.entries(wrong)) {
    assertProblems(await post({ content: 'x', [field]: value }), `body.${field}`)
  }
  assertProblems(await post({ media_ids: [1] }), 'body.media_ids.0:string_type')
})

test('a missing ticket and one of Rival are 404', async () => {
  const theirs = await makeTicket(outsider)
  for (const id of [theirs.id, nobody, 'nope']) {
    assertEnvelope(await post({ content: 'x' }, { id }), 404, 'TICKET_NOT_FOUND')
  }
  assert.equal((await outsider.get(`/tickets/${theirs.id}`)).body.messages_count, 0)
})

test('a message with send_at emits no event and does not change its ticket until its time', async () => {
  const one = await makeTicket(api)
  const events = await eventsOf(server, async () => {
    const { body } = await post({ content: 'Later', send_at: '2999-01-01T00:00:00Z' }, one)
    assert.partialDeepStrictEqual(body.delivery, { status: 'scheduled', attempts: 0 })
  })
  assert.deepEqual(events, [])
  const { body } = await api.get(`/tickets/${one.id}`)
  assert.deepEqual([body.messages_count, body.last_message], [0, null])
})

test('a scheduled message is sent once at its time, even by several processes', async () => {
  const one = await makeTicket(api)
  const { body } = await post({ content: 'Later', send_at: '2999-01-01' }, one)
  await db`update messages set send_at = now() - interval '1 s' where id = ${body.id}`
  const events = await eventsOf(server, () =>
    Promise.all([1, 2, 3].map(() => sendDueMessages(db, server.acme.id))),
  )
  assert.deepEqual(
    events.map(event => [event.type, event.data.id]),
    [['message.created', body.id]],
  )
  assert.equal((await api.get(`/messages/${body.id}`)).body.delivery.status, 'sent')
  assert.equal((await api.get(`/tickets/${one.id}`)).body.messages_count, 1)
})

test('a message with send_at in the past is sent immediately', async () => {
  const events = await eventsOf(server, async () => {
    assert.equal((await post({ content: 'Now', send_at: '2020-01-01' })).body.delivery.status, 'sent')
  })
  assert.deepEqual(
    events.map(event => event.type),
    ['message.created'],
  )
})

test('only failed messages can be retried', async () => {
  const message = await makeMessage(api, ticket.id)
  assert.equal((await api.post(`/messages/${message.id}/retry`)).status, 422)
  await db`update messages set delivery_status = 'failed', delivery_error = 'bounced' where id = ${message.id}`
  assertEnvelope(await outsider.post(`/messages/${message.id}/retry`), 404, 'MESSAGE_NOT_FOUND')
  const { status, body } = await api.post(`/messages/${message.id}/retry`)
  assert.equal(status, 200)
  assert.notEqual(body.delivery.status, 'failed')
  assert.equal(body.delivery.error, null)
})
