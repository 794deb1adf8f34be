import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, limitTickets, makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let omar: Person
let rita: Person

before(async () => {
  ;({ omar, rita } = await joinCast(server))
})
after(() => server.close())

type Ticket = { id: string }

const read = async ({ id }: Ticket) => (await api.get(`/tickets/${id}`)).body

const messagesOf = async ({ id }: Ticket): Promise<{ id: string; content: string; sender_type: string }[]> =>
  (await api.get(`/tickets/${id}/messages?page_size=100`)).body.items

const wordsOf = async (ticket: Ticket) =>
  (await messagesOf(ticket))
    .filter(({ sender_type }) => sender_type !== 'system')
    .map(({ content }) => content)

const split = ({ id }: Ticket, message_ids: string[], more = {}, who = omar) =>
  who.api.post(`/tickets/${id}/split`, { message_ids, ...more })

/** Activities that differ from what their messages say. */
const listWrongCounts = () => db`
  select a.ticket_id from ticket_activity a join tickets t on t.id = a.ticket_id and t.merged_into_id is null
  where a.project_id = ${acme.id} and (
    a.messages_count <> (select count(*) from messages m where m.ticket_id = a.ticket_id)
    or a.last_message_id is distinct from (select id from messages m where m.ticket_id = a.ticket_id
      and sender_type <> 'system' order by created_at desc limit 1)
    or a.last_contact_message_at is distinct from (select max(created_at) from messages m
      where m.ticket_id = a.ticket_id and sender_type = 'contact'))`

async function talk(): Promise<{ ticket: Ticket; ids: string[] }> {
  const ticket = await makeTicket(api, {
    content: 'My card',
    operator_id: omar.id,
    priority: 'high',
    tags: ['vip'],
  })
  await makeMessage(api, ticket.id, { content: 'And my invoice' })
  await omar.api.post(`/tickets/${ticket.id}/messages`, { content: 'One by one' })
  const ids = (await messagesOf(ticket)).map(({ id }) => id)
  return { ticket, ids }
}

test('at least one message stays in its ticket', async () => {
  const { ticket, ids } = await talk()
  const { status, body } = await split(ticket, ids)
  assert.deepEqual([status, body.detail], [422, { field: 'message_ids', reason: 'all_messages' }])
  assert.equal((await wordsOf(ticket)).length, 3)
})

test('messages that are split off become a new ticket of the same contact', async () => {
  const { ticket, ids } = await talk()
  const before = await read(ticket)
  let made: Ticket & Record<string, unknown>
  const events = await eventsOf(server, async () => {
    const { status, body } = await split(ticket, [ids[2]!, ids[1]!])
    assert.equal(status, 201)
    made = body
  })
  assert.partialDeepStrictEqual(made!, {
    subject: 'And my invoice',
    status: 'open',
    contact_id: before.contact_id,
    operator_id: omar.id,
    priority: 'high',
    tags: ['vip'],
    messages_count: 3,
    waiting_since: null,
  })
  assert.deepEqual(
    [await wordsOf(ticket), await wordsOf(made!)],
    [['My card'], ['And my invoice', 'One by one']],
  )
  const after = await read(ticket)
  assert.deepEqual([after.first_reply_at, after.waiting_since], [null, before.last_contact_message_at])
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ticket.created', 'ticket.assigned', 'ticket.updated', 'message.created', 'message.created'],
  )
  assert.deepEqual(events[0]!.data, {
    ticket_id: made!.id,
    status: 'open',
    priority: 'high',
    contact_id: before.contact_id,
    subject: 'And my invoice',
  })
  assert.deepEqual([...(await listWrongCounts())], [])
})

test('a split accepts only messages of its ticket that are not from the system, and can set the subject', async () => {
  const { ticket, ids } = await talk()
  const other = await makeTicket(api, { content: 'Other' })
  const [foreign] = await messagesOf(other)
  for (const id of [foreign!.id, nobody, 'nope'])
    assertEnvelope(await split(ticket, [ids[0]!, id]), 422, 'VALIDATION_ERROR', {
      field: 'message_ids',
      ids: [id],
    })
  await omar.api.post(`/tickets/${ticket.id}/close`)
  const system = (await messagesOf(ticket)).at(-1)!
  assertEnvelope(await split(ticket, [system.id]), 422, 'VALIDATION_ERROR', { reason: 'system_message' })
  assertProblems(await split(ticket, []), 'body.message_ids')
  assert.equal((await split(ticket, [ids[0]!], { subject: 'Cards' })).body.subject, 'Cards')
})

test('if a message is split off several times at once, only one request succeeds', async () => {
  const { ticket, ids } = await talk()
  const answers = await Promise.all([1, 2, 3].map(() => split(ticket, [ids[0]!])))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  assert.deepEqual([...(await listWrongCounts())], [])
})

test('Rival can split neither a ticket nor messages of Acme', async () => {
  const { ticket, ids } = await talk()
  assertEnvelope(await split(ticket, ids, {}, rita), 404, 'TICKET_NOT_FOUND')
  const theirs = await makeTicket(server.outsider)
  assertEnvelope(await split(theirs, ids, {}, rita), 422, 'VALIDATION_ERROR', { reason: 'not_found' })
})

async function merged() {
  const into = await makeTicket(api, { content: 'First' })
  const from = await makeTicket(api, { contact: { email: into.contact.email }, content: 'Second' })
  await makeMessage(api, from.id, { content: 'Third' })
  await api.patch(`/tickets/${from.id}`, { snoozed_until: '2999-01-01' })
  const [one, two] = [await read(into), await read(from)]
  assert.equal((await omar.api.post(`/tickets/${from.id}/merge`, { into_ticket_id: into.id })).status, 200)
  return { into, from, before: { one, two } }
}

const unmerge = ({ id }: Ticket, who = omar) => who.api.post(`/tickets/${id}/unmerge`)

const still = ({ updated_at, version, messages_count, ...ticket }: Record<string, unknown>) => ticket

test('undoing a merge restores both tickets', async () => {
  const { into, from, before } = await merged()
  const events = await eventsOf(server, async () => {
    const { status, body } = await unmerge(from)
    assert.equal(status, 200)
    assert.deepEqual(still(body), still(before.two))
  })
  assert.deepEqual(still(await read(into)), still(before.one))
  assert.deepEqual([await wordsOf(into), await wordsOf(from)], [['First'], ['Second', 'Third']])
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.ticket_id]),
    [
      ['ticket.reopened', from.id],
      ['ticket.updated', from.id],
      ['ticket.updated', into.id],
      ['message.created', from.id],
      ['message.created', into.id],
    ],
  )
  assert.deepEqual(events[0]!.data, { ticket_id: from.id, status: 'on_hold' })
  assert.deepEqual([...(await listWrongCounts())], [])
  assertEnvelope(await unmerge(from), 409, 'MERGE_FINAL', { reason: 'not_merged' })
})

test('a merge cannot be undone after a new message, after ten minutes, or after the target was merged', async () => {
  const answered = await merged()
  await makeMessage(api, answered.into.id)
  assertEnvelope(await unmerge(answered.from), 409, 'MERGE_FINAL', { reason: 'newer_messages' })
  const old = await merged()
  await db`update ticket_merges set merged_at = merged_at - interval '11 minutes' where source_id = ${old.from.id}`
  assertEnvelope(await unmerge(old.from), 409, 'MERGE_FINAL', { reason: 'too_old' })
  const chain = await merged()
  const third = await makeTicket(api)
  await omar.api.post(`/tickets/${chain.into.id}/merge`, { into_ticket_id: third.id, force: true })
  assertEnvelope(await unmerge(chain.from), 409, 'MERGE_FINAL', { reason: 'merged' })
  assertEnvelope(await unmerge(third), 409, 'MERGE_FINAL', { reason: 'not_merged' })
})

test('a merge is undone at most once, and a message posted at the same time stays in the target', async () => {
  const { into, from } = await merged()
  const [first, second, late] = await Promise.all([unmerge(from), unmerge(from), makeMessage(api, into.id)])
  assert.ok([first, second].filter(({ status }) => status === 200).length <= 1)
  const found = (await api.get(`/messages/${late.id}`)).body.ticket_id
  assert.equal(found, into.id)
  assert.deepEqual([...(await listWrongCounts())], [])
})

test('Rival cannot undo a merge of Acme', async () => {
  const { from } = await merged()
  assertEnvelope(await unmerge(from, rita), 404, 'TICKET_NOT_FOUND')
  assert.equal((await read(from)).status, 'closed')
})

test("a split counts towards the plan's limit", async () => {
  const { ticket, ids } = await talk()
  await limitTickets(db, acme, 0)
  assertEnvelope(await split(ticket, [ids[0]!]), 403, 'TICKET_LIMIT_REACHED')
  assert.deepEqual((await wordsOf(ticket)).length, 3)
})
