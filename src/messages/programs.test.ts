import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeFile, makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope, createClient } from '../../test/client.ts'
import { joinProject } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { createKey } from '../keys/keys.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, url } = server
after(() => server.close())

test('a message has the id of the key that posted it; messages of people and contacts have none', async () => {
  const { id } = await makeTicket(api, { content: 'Where is it?' })
  const posted = await makeMessage(api, id)
  const withFile = await makeMessage(api, id, { media_ids: [await makeFile(db, acme)] })
  const omar = await joinProject(server, acme)
  const { body: reply } = await omar.api.post(`/tickets/${id}/messages`, { content: 'There' })
  assert.deepEqual([posted.key_id, withFile.key_id, reply.key_id], [acme.key.id, acme.key.id, null])
  const { items } = (await api.get(`/tickets/${id}/messages`)).body
  assert.deepEqual(
    items.filter((one: { key_id: string }) => one.key_id).map((one: { id: string }) => one.id),
    [posted.id, withFile.id],
  )
})

test('the API can reschedule and withdraw a scheduled message, and its file can be attached again', async () => {
  const { id: ticket } = await makeTicket(api)
  const file = await makeFile(db, acme)
  const fields = { content: 'Later', send_at: '2999-01-01', media_ids: [file] }
  const { id } = await makeMessage(api, ticket, fields)
  const events = await eventsOf(server, async () => {
    const put = await api.post(`/messages/${id}/reschedule`, { send_at: '2999-02-01' })
    assert.equal(put.body.send_at, '2999-02-01T00:00:00.000000')
    for (const path of [`/messages/${id}`, '/messages/none'])
      assertEnvelope(await outsider.delete(path), 404, 'MESSAGE_NOT_FOUND')
    const { status, body } = await api.delete(`/messages/${id}`)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { content: 'Later', send_at: '2999-02-01T00:00:00.000000' })
    assertEnvelope(await api.delete(`/messages/${id}`), 404, 'MESSAGE_NOT_FOUND')
  })
  assert.deepEqual(events, [])
  await makeMessage(api, ticket, { media_ids: [file] })
})

test('a sent message can be neither withdrawn nor rescheduled', async () => {
  const { id } = await makeMessage(api, (await makeTicket(api)).id)
  const detail = { field: 'message_id', reason: 'already_sent' }
  assertEnvelope(await api.delete(`/messages/${id}`), 422, 'VALIDATION_ERROR', detail)
  const put = await api.post(`/messages/${id}/reschedule`, { send_at: '2999-01-01' })
  assertEnvelope(put, 422, 'VALIDATION_ERROR', detail)
})

test('with unless_newer, nothing is posted if others have written since the last seen message', async () => {
  const { id, last_message: seen } = await makeTicket(api, { content: 'Where is it?' })
  const post = (last_seen_message_id?: string) =>
    api.post(`/tickets/${id}/messages`, { content: 'There', unless_newer: true, last_seen_message_id })
  assert.equal((await post(seen.id)).status, 201)
  assert.equal((await post(seen.id)).status, 201, 'its own messages do not count as newer')
  const omar = await joinProject(server, acme)
  const { body: reply } = await omar.api.post(`/tickets/${id}/messages`, { content: 'I look' })
  const events = await eventsOf(server, async () => {
    const refused = await post(seen.id)
    assertEnvelope(refused, 422, 'VALIDATION_ERROR', { reason: 'newer_messages', message_ids: [reply.id] })
  })
  assert.deepEqual(events, [])
  assert.equal((await post(reply.id)).status, 201)
  assertEnvelope(await post(nobody), 422, 'VALIDATION_ERROR', { reason: 'not_found' })
  assertEnvelope(await post(), 422, 'VALIDATION_ERROR', {
    field: 'last_seen_message_id',
    reason: 'required',
  })
})

test('if several programs with their own keys answer the same message at once, only one succeeds', async () => {
  const { id, last_message } = await makeTicket(api, { content: 'Where is it?' })
  const keys = await Promise.all(['One', 'Two', 'Three'].map(name => createKey(db, acme.id, name)))
  const asked = { content: 'There', unless_newer: true, last_seen_message_id: last_message.id }
  const answers = await Promise.all(
    keys.map(({ key }) => createClient(url, key).post(`/tickets/${id}/messages`, asked)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
})
