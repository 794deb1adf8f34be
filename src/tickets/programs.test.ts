import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket, typesOf, unique } from '../../test/cast.ts'
import { assertBrief, assertEnvelope } from '../../test/client.ts'
import { joinProject } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

const read = async (id: string) => (await api.get(`/tickets/${id}`)).body
const refusal = 'TICKET_INVALID_STATUS_TRANSITION'

test("a change of a closed ticket's status is refused, and the error names the operation that reopens it", async () => {
  const { id } = await makeTicket(api, { status: 'closed' })
  const use = 'POST /api/v1/tickets/{ticket_id}/reopen'
  const opened = await api.patch(`/tickets/${id}`, { status: 'open' })
  assertEnvelope(opened, 422, refusal, { from: 'closed', to: 'open', use })
  assert.deepEqual(opened.body.detail.allowed, [])
  const waits = await api.patch(`/tickets/${id}`, { status: 'pending' })
  assertEnvelope(waits, 422, refusal, { use, allowed: ['open'] })
  const { body } = await api.post(`/tickets/${(await makeTicket(api)).id}/reopen`)
  assert.equal('use' in body.detail, false)
})

test("first_bot_reply_at is the time of a bot's first message to the contact, which is not first_reply_at", async () => {
  const { id } = await makeTicket(api, { content: 'Where is it?' })
  await makeMessage(api, id, { content: 'Looked up', is_internal: true })
  assert.equal((await read(id)).first_bot_reply_at, null)
  const first = await makeMessage(api, id)
  await makeMessage(api, id, { external_id: unique() })
  const { first_bot_reply_at, first_reply_at, waiting_since, last_contact_message_at } = await read(id)
  assert.deepEqual([first_bot_reply_at, first_reply_at], [first.created_at, null])
  assert.equal(waiting_since, last_contact_message_at)
})

test('first_bot_reply_at follows the messages when tickets are merged and unmerged', async () => {
  const contact = { email: `${unique()}@example.com` }
  const [from, into] = [await makeTicket(api, { contact }), await makeTicket(api, { contact })]
  const first = await makeMessage(api, from.id)
  const second = await makeMessage(api, into.id)
  await api.post(`/tickets/${from.id}/merge`, { into_ticket_id: into.id })
  assert.equal((await read(into.id)).first_bot_reply_at, first.created_at)
  const omar = await joinProject(server, acme)
  const back = await omar.api.post(`/tickets/${from.id}/unmerge`)
  assert.equal(back.status, 200, back.text)
  assert.equal((await read(into.id)).first_bot_reply_at, second.created_at)
  assert.equal((await read(from.id)).first_bot_reply_at, first.created_at)
})

test('closed_by has the name of the key or the person who closed the ticket', async () => {
  const [byKey, byPerson] = [await makeTicket(api), await makeTicket(api)]
  await api.post(`/tickets/${byKey.id}/close`)
  const omar = await joinProject(server, acme, { name: 'Omar' })
  await omar.api.post(`/tickets/${byPerson.id}/close`)
  assert.deepEqual((await read(byKey.id)).closed_by, { type: 'api', id: acme.key.id, name: "Acme's key" })
  assert.deepEqual((await read(byPerson.id)).closed_by, { type: 'operator', id: omar.id, name: 'Omar' })
  await db`update tickets set closed_by = '{"type": "system", "id": null}' where id = ${byKey.id}`
  assert.deepEqual((await read(byKey.id)).closed_by, { type: 'system', id: null, name: null })
})

/** The four operations, each with the fields of a suitable ticket and a body. */
const acts: Record<string, (ticket: { contact: object }) => Promise<[object, object | undefined]>> = {
  close: async () => [{}, { comment: 'Done' }],
  reopen: async () => [{ status: 'closed' }, undefined],
  rate: async () => [{}, { rating: 4 }],
  merge: async ({ contact }) => [{ contact }, { into_ticket_id: (await makeTicket(api, { contact })).id }],
}

for (const [act, prepare] of Object.entries(acts)) {
  test(`${act} accepts Idempotency-Key: a repeated request has the same response and emits nothing`, async () => {
    const contact = { email: `${unique()}@example.com` }
    const [fields, body] = await prepare({ contact })
    const { id } = await makeTicket(api, { contact, ...fields })
    const headers = { 'idempotency-key': unique() }
    const send = () => api.post(`/tickets/${id}/${act}`, body, { headers })
    const first = await send()
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(await typesOf(server, async () => assert.deepEqual((await send()).body, first.body)), [])
  })

  test(`${act} accepts If-Match: another version is 412 with the current ETag, and changes nothing`, async () => {
    const contact = { email: `${unique()}@example.com` }
    const [fields, body] = await prepare({ contact })
    const ticket = await makeTicket(api, { contact, ...fields })
    await api.patch(`/tickets/${ticket.id}`, { subject: 'Another' })
    const send = (version: number) =>
      api.post(`/tickets/${ticket.id}/${act}`, body, { headers: { 'if-match': `"${version}"` } })
    const events = await eventsOf(server, async () => {
      const refused = await send(ticket.version)
      assertBrief(refused, 412)
      assert.equal(refused.headers.get('etag'), `"${ticket.version + 1}"`)
    })
    assert.deepEqual(events, [])
    assert.equal((await send(ticket.version + 1)).status, 200)
  })
}
