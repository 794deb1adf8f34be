import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeContact, makeDepartment, makeOperator, makeTicket, unique } from '../../test/cast.ts'
import { importItems, importSource, oldMessage, oldTicket } from '../../test/imports.ts'
import { startServer } from '../../test/server.ts'
import { indexingJob } from '../indexing.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const importAll = (items: object[], more: object = {}) => importItems(api, 'tickets', items, more)
const readTicket = async (id: string) => (await api.get(`/tickets/${id}`)).body
const readMessages = async (id: string) => (await api.get(`/tickets/${id}/messages`)).body.items

test('an imported ticket keeps its original times, authors and messages', async () => {
  const item = oldTicket()
  const [{ id, status, messages }] = await importAll([item])
  assert.equal(status, 'created')
  const ticket = await readTicket(id)
  assert.partialDeepStrictEqual(ticket, {
    status: 'closed',
    created_at: '2020-03-01T09:00:00.000000',
    updated_at: '2020-03-01T10:00:00.500000',
    closed_at: '2020-03-01T10:00:00.500000',
    first_reply_at: '2020-03-01T10:00:00.500000',
    last_contact_message_at: '2020-03-01T09:00:00.000000',
    resolution_secs: 3_600,
    waiting_since: null,
    messages_count: 2,
    contact: { full_name: 'Ann Lee' },
    last_message: { sender_type: 'operator', preview: `Where is ${item.source_id}-2?` },
  })
  const [question, answer] = await readMessages(id)
  assert.partialDeepStrictEqual(question, {
    id: messages[0].id,
    sender_type: 'contact',
    sender_id: ticket.contact_id,
    sender_name: 'Ann Lee',
    delivery: { status: 'sent' },
  })
  assert.partialDeepStrictEqual(answer, { sender_type: 'operator', sender_id: null, sender_name: 'Olga' })
  assert.partialDeepStrictEqual(messages[1].warnings, [
    { field: 'author', value: 'gone@example.com', reason: 'unknown_operator' },
  ])
})

test('an import emits nothing, queues nothing and notifies nobody, and Rival sees nothing of it', async () => {
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const item = oldTicket({ status: 'open' })
  assert.deepEqual(await eventsOf(server, () => importAll([item])), [])
  for (const table of ['webhook_queue', 'outgoing_queue', 'operator_notices', 'unread_replies'])
    assert.equal((await db`select from ${db(table)}`).count, 0, table)
  const { items } = (await outsider.get(`/tickets?q=${item.source_id}`)).body
  assert.deepEqual(items, [])
  assert.equal((await outsider.get(`/import/${importSource}`)).status, 404)
})

test('with emit, ticket.created and message.created are emitted, and nothing is sent', async () => {
  const item = oldTicket({ status: 'open', channel: 'email' })
  const events = await eventsOf(server, () => importAll([item], { emit: true }))
  assert.deepEqual(
    events.map(event => event.type),
    ['ticket.created', 'message.created', 'message.created'],
  )
  assert.equal(events[1]!.data.created_at, '2020-03-01T09:00:00.000000')
  assert.equal((await db`select from outgoing_queue`).count, 0)
})

test('a repeated call creates nothing twice, and adds new messages', async () => {
  const item = oldTicket()
  const [first] = await importAll([item])
  const third = oldMessage(unique(), { created_at: '2020-03-02T09:00:00Z' })
  const [again] = await importAll([{ ...item, messages: [...item.messages, third] }])
  assert.deepEqual([again.id, again.status], [first.id, 'existing'])
  assert.deepEqual(
    again.messages.map((one: { status: string }) => one.status),
    ['existing', 'existing', 'created'],
  )
  const ticket = await readTicket(first.id)
  assert.equal(ticket.messages_count, 3)
  assert.equal(ticket.last_contact_message_at, '2020-03-02T09:00:00.000000')
})

test('identical calls at the same time create each record once', async () => {
  const items = [oldTicket(), oldTicket(), oldTicket()]
  const answers = await Promise.all([importAll(items), importAll(items), importAll(items)])
  const ids = answers.map(answer => answer.map((one: { id: string }) => one.id))
  assert.deepEqual(ids[0], ids[1])
  assert.deepEqual(ids[0], ids[2])
  for (const id of ids[0]) assert.equal((await readTicket(id)).messages_count, 2)
})

test('a free number is kept and later tickets get higher numbers, and a number that is taken is replaced', async () => {
  const [kept] = await importAll([oldTicket({ number: 5_000 })])
  assert.equal((await readTicket(kept.id)).short_id, '5000')
  const live = await makeTicket(api)
  assert.equal(live.short_id, '5001')
  const [other] = await importAll([oldTicket({ number: 5_000 })])
  assert.equal((await readTicket(other.id)).short_id, '5002')
  assert.deepEqual(other.warnings, [{ field: 'number', value: 5_000, reason: 'number_taken' }])
})

test('operators are found by email address and departments by name, ignoring case', async () => {
  const operator = await makeOperator(db, acme)
  const { email } = (await db`select email from operators where id = ${operator.id}`)[0] as { email: string }
  const department = await makeDepartment(db, acme, `Sales ${unique()}`)
  const [known, unknown] = await importAll([
    oldTicket({ operator: { email: email.toUpperCase() }, department: department.name.toLowerCase() }),
    oldTicket({ operator: { email: 'nobody@example.com' }, department: 'Nothing' }),
  ])
  assert.partialDeepStrictEqual(await readTicket(known.id), {
    operator_id: operator.id,
    department_id: department.id,
  })
  assert.partialDeepStrictEqual(await readTicket(unknown.id), { operator_id: null, department_id: null })
  assert.deepEqual(unknown.warnings.map((one: { reason: string }) => one.reason).sort(), [
    'unknown_department',
    'unknown_operator',
  ])
})

test('an item whose contact was not imported is skipped, and the others are imported', async () => {
  const [bad, good] = await importAll([oldTicket({ contact: 'nobody' }), oldTicket()])
  assert.deepEqual([bad.status, bad.reason, bad.id], ['skipped', 'contact_not_found', null])
  assert.equal(good.status, 'created')
})

test('a contact with a known address is matched and stays unchanged', async () => {
  const email = `${unique()}@example.com`
  const contact = await makeContact(api, { email, full_name: 'Ann of Acme' })
  const [one] = await importAll([oldTicket({ contact: { source_id: unique(), email, full_name: 'Other' } })])
  const ticket = await readTicket(one.id)
  assert.equal(ticket.contact_id, contact.id)
  assert.equal(ticket.contact.full_name, 'Ann of Acme')
})

test('a dry run returns the same results and writes nothing', async () => {
  const item = oldTicket({ operator: { email: 'nobody@example.com' } })
  const before = (await api.get(`/import/${importSource}`)).body
  const [planned] = await importAll([item], { dry_run: true })
  assert.deepEqual([planned.status, planned.id], ['created', null])
  assert.deepEqual((await api.get(`/import/${importSource}`)).body, before)
  const [real] = await importAll([item])
  assert.deepEqual(real.warnings, planned.warnings)
})

test('search finds imported messages, even by a misspelled word', async () => {
  // The project's words are gathered before the import.
  await makeTicket(api)
  while ((await indexingJob(server.log).run(db, acme.id)) > 0);
  const word = 'zweckentfremdung'
  const item = oldTicket({ language: 'de' })
  const messages = [oldMessage(unique(), { content: `Es geht um ${word}` })]
  const [{ id }] = await importAll([{ ...item, messages }])
  for (const q of [word, 'zweckentfrendung']) {
    const { items } = (await api.get(`/tickets?q=${q}`)).body
    assert.deepEqual(
      items.map((one: { id: string }) => one.id),
      [id],
      q,
    )
  }
})
