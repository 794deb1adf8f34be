import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider } = server
after(() => server.close())

const merge = (from: { id: string }, into_ticket_id: unknown, more = {}) =>
  api.post(`/tickets/${from.id}/merge`, { into_ticket_id, ...more })

async function pair() {
  const into = await makeTicket(api, { content: 'First' })
  const from = await makeTicket(api, { contact: { email: into.contact.email }, content: 'Second' })
  return { into, from }
}

test('merging moves the conversation, closes the ticket permanently and returns the target', async () => {
  const { into, from } = await pair()
  const message = await makeMessage(api, from.id, { content: 'Third' })
  const answer = await merge(from, into.id)
  assert.deepEqual([answer.status, answer.body.id], [200, into.id])
  const { items } = (await api.get(`/tickets/${into.id}/messages`)).body
  const contents = items.map((item: { content: string }) => item.content)
  for (const content of ['First', 'Second', 'Third']) assert.ok(contents.includes(content), content)
  assert.equal((await api.get(`/messages/${message.id}`)).body.ticket_id, into.id)
  const merged = (await api.get(`/tickets/${from.id}`)).body
  assert.partialDeepStrictEqual(merged, { status: 'closed', merged_into_id: into.id })
  assert.equal(answer.body.messages_count, items.length)
})

test('the target can be given by its short_id', async () => {
  const { into, from } = await pair()
  assert.equal((await merge(from, into.short_id)).body.id, into.id)
})

test('a merge emits ticket.closed for the merged ticket only', async () => {
  const { into, from } = await pair()
  const events = await eventsOf(server, () => merge(from, into.id))
  const closed = events.filter(event => event.type === 'ticket.closed')
  assert.deepEqual(
    closed.map(event => event.data.ticket_id),
    [from.id],
  )
})

test('a ticket cannot be merged into itself', async () => {
  const { into } = await pair()
  assertEnvelope(await merge(into, into.id), 422, 'VALIDATION_ERROR', { field: 'into_ticket_id' })
})

test('a merged ticket cannot be merged again, be a target or be reopened', async () => {
  const { into, from } = await pair()
  await merge(from, into.id)
  const third = await makeTicket(api, { contact: { email: into.contact.email } })
  for (const answer of [await merge(from, third.id), await merge(third, from.id)]) {
    const detail = { reason: 'merged', merged_into_id: into.id }
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', detail)
  }
  assert.equal((await api.get(`/tickets/${third.id}`)).body.merged_into_id, null)
  const moved = await api.patch(`/tickets/${from.id}`, { status: 'open' })
  assertEnvelope(moved, 422, 'TICKET_INVALID_STATUS_TRANSITION', { reason: 'merged', allowed: [] })
})

test('tickets of different contacts are merged with force only', async () => {
  const [from, into] = [await makeTicket(api), await makeTicket(api)]
  const events = await eventsOf(server, async () =>
    assertEnvelope(await merge(from, into.id), 422, 'VALIDATION_ERROR', { field: 'into_ticket_id' }),
  )
  assert.deepEqual(events, [])
  assert.equal((await merge(from, into.id, { force: true })).status, 200)
})

test('a missing target and one of Rival have the same error; the ticket of another project is 404', async () => {
  const [ours, theirs] = [await makeTicket(api), await makeTicket(outsider)]
  const detail = { field: 'into_ticket_id', reason: 'not_found' }
  for (const target of [theirs.id, nobody, 'nope', '']) {
    assertEnvelope(await merge(ours, target), 422, 'VALIDATION_ERROR', detail)
  }
  assertEnvelope(await merge(theirs, ours.id), 404, 'TICKET_NOT_FOUND')
  assert.equal((await outsider.get(`/tickets/${theirs.id}`)).body.status, 'new')
})

test('into_ticket_id is required', async () => {
  const { from } = await pair()
  assertProblems(await api.post(`/tickets/${from.id}/merge`, {}), 'body.into_ticket_id:missing')
  assertProblems(await merge(from, 7), 'body.into_ticket_id:string_type')
})

test('if two tickets are merged into each other at once, one merge succeeds, without a deadlock', async () => {
  for (let round = 0; round < 5; round++) {
    const { into, from } = await pair()
    const answers = await Promise.all([merge(from, into.id), merge(into, from.id)])
    assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 422])
  }
})

test('a message that is posted while its ticket is merged is not lost', async () => {
  const { into, from } = await pair()
  const [message] = await Promise.all([makeMessage(api, from.id, { content: 'Late' }), merge(from, into.id)])
  const found = (await api.get(`/messages/${message.id}`)).body
  assert.equal(found.ticket_id, into.id)
  const listed = (await api.get(`/tickets/${found.ticket_id}/messages`)).body.items
  assert.ok(listed.some((item: { id: string }) => item.id === message.id))
})
