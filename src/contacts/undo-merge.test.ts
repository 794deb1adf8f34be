import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeContact, makeMessage, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { makeOrganization } from '../../test/organization.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

interface Row {
  [field: string]: string
}
interface Person {
  id: string
  email: string
}
let lastTelegram = 7_000_000
const full = (fields: object = {}) =>
  makeContact(api, { telegram_id: ++lastTelegram, external_id: unique(), full_name: 'Ann', ...fields })
const merge = (from: Person, into: Person, winners?: object) =>
  api.post(`/contacts/${from.id}/merge`, { into_contact_id: into.id, ...(winners && { winners }) })
const preview = (from: Person, into: Person) => api.get(`/contacts/${from.id}/merge/${into.id}`)
const undo = (from: Person) => api.post(`/contacts/${from.id}/unmerge`)
const read = async (contact: Person) => (await api.get(`/contacts/${contact.id}`)).body
/** What must be the same after a merge and its undo as before. */
const lasting = ({ version: _, updated_at: __, created: ___, conflicts: ____, ...contact }: Row) => contact

test('the preview says what a merge would move, which fields differ and which value wins, and changes nothing', async () => {
  const from = await full({
    full_name: 'Ann Lee',
    phone: '1',
    custom_fields: { plan: 'team', seats: 2 },
    tags: ['a'],
  })
  const into = await full({ full_name: 'A. Lee', custom_fields: { plan: 'free' }, tags: ['b'] })
  await makeTicket(api, { contact: { email: from.email } })
  await api.patch(`/contacts/${from.id}`, { is_blocked: true })
  const before = await read(from)
  const { body } = await preview(from, into)
  assert.partialDeepStrictEqual(body, {
    ...{ tickets_count: 1, open_tickets_count: 1, tags: ['b', 'a'] },
    from: { id: from.id, email: from.email, is_blocked: true },
    into: { id: into.id, full_name: 'A. Lee' },
  })
  assert.equal(body.identities.length, 3)
  const winners = Object.fromEntries(
    body.differences.map((one: Row) => [one.field, [one.from, one.into, one.winner]]),
  )
  assert.deepEqual(winners.full_name, ['Ann Lee', 'A. Lee', 'into'])
  assert.deepEqual(winners.phone, ['1', null, 'from'])
  assert.deepEqual(winners['custom_fields.plan'], ['team', 'free', 'into'])
  assert.deepEqual(winners['custom_fields.seats'], [2, null, 'from'])
  assert.deepEqual(winners.is_blocked, [true, false, 'from'])
  assert.deepEqual(await read(from), before)
  assertEnvelope(await outsider.get(`/contacts/${from.id}/merge/${into.id}`), 404, 'CONTACT_NOT_FOUND')
})

test('the winner of each field can be chosen; an unknown field is refused with unknown_field', async () => {
  const from = await full({ full_name: 'Ann Lee', phone: '1', custom_fields: { plan: 'team' } })
  const into = await full({ full_name: 'A. Lee', custom_fields: { plan: 'free' } })
  await api.patch(`/contacts/${from.id}`, { is_blocked: true })
  const refused = await merge(from, into, { 'custom_fields.no': 'from' })
  assertEnvelope(refused, 422, 'VALIDATION_ERROR', {
    ...{ field: 'winners', reason: 'unknown_field', unknown: ['custom_fields.no'] },
    valid: refused.body.detail.valid,
  })
  const chosen = {
    full_name: 'from',
    email: 'from',
    phone: 'into',
    'custom_fields.plan': 'from',
    is_blocked: 'into',
  }
  const { body } = await merge(from, into, chosen)
  const { full_name, email, phone, custom_fields, is_blocked } = body
  assert.deepEqual(
    { full_name, email, phone, custom_fields, is_blocked },
    {
      full_name: 'Ann Lee',
      email: from.email,
      phone: null,
      custom_fields: { plan: 'team' },
      is_blocked: false,
    },
  )
  const primary = body.identities.filter((one: Row) => one.type === 'email' && one.is_primary)
  assert.deepEqual(
    primary.map((one: Row) => one.value),
    [from.email],
  )
})

test('undoing a merge returns tickets, identities and fields, and emits one event for each ticket', async () => {
  const from = await full({ phone: '1', custom_fields: { plan: 'team' }, tags: ['a'] })
  const into = await full({ custom_fields: { seats: 1 }, tags: ['b'] })
  const ticket = await makeTicket(api, { contact: { email: from.email }, content: 'Hi' })
  const own = await makeTicket(api, { contact: { email: into.email } })
  const before = [await read(from), await read(into)].map(lasting)
  assert.equal((await merge(from, into, { email: 'from', telegram_id: 'from' })).body.tickets_count, 2)
  const { body: listed } = await api.get(`/contacts/${into.id}/merges`)
  assert.partialDeepStrictEqual(listed.items[0], {
    contact: { id: from.id },
    tickets_count: 1,
    merged_by: { type: 'api' },
  })
  const events = await eventsOf(server, async () => {
    const { body, status } = await undo(from)
    assert.equal(status, 200)
    assert.deepEqual(body.kept, [])
    assert.deepEqual([body.contact, body.into].map(lasting), before)
  })
  assert.deepEqual(
    events.map(({ type, data }) => [
      type,
      data.ticket_id,
      data.cause,
      data.contact_id,
      data.previous_contact_id,
    ]),
    [['ticket.updated', ticket.id, 'contact_unmerged', from.id, into.id]],
  )
  assert.equal((await api.get(`/contacts/email:${from.email}`)).body.id, from.id)
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.contact_id, from.id)
  assert.equal((await api.get(`/tickets/${own.id}`)).body.contact_id, into.id)
  assert.deepEqual((await api.get(`/contacts/${into.id}/merges`)).body.items, [])
  assertEnvelope(await undo(from), 409, 'CONTACT_MERGE_FINAL', { reason: 'not_merged' })
  assert.equal((await merge(from, into)).status, 200)
})

test('what others have changed since the merge stays, and the response lists it', async () => {
  const from = await full({ phone: '1', full_name: 'Ann', custom_fields: { plan: 'team', seats: 2 } })
  const into = await full({ full_name: null, tags: ['x'] })
  const third = await full()
  const ticket = await makeTicket(api, { contact: { email: from.email } })
  await merge(from, into)
  await api.patch(`/contacts/${into.id}`, { phone: '2', custom_fields: { seats: 3 }, tags: ['x', 'y'] })
  await db`update tickets set contact_id = ${third.id} where id = ${ticket.id}`
  await api.request('DELETE', `/contacts/${into.id}/identities/external:${from.external_id}`)
  const { body } = await undo(from)
  assert.deepEqual(
    body.kept.toSorted((a: Row, b: Row) => a.name!.localeCompare(b.name!)),
    [
      { kind: 'ticket', name: ticket.short_id },
      { kind: 'field', name: 'custom_fields.seats' },
      { kind: 'identity', name: `external:${from.external_id}` },
      { kind: 'field', name: 'phone' },
    ],
  )
  const { phone, full_name, custom_fields, tags } = body.into
  assert.deepEqual([phone, full_name, custom_fields, tags], ['2', null, { seats: 3 }, ['x', 'y']])
  assert.deepEqual([body.contact.phone, body.contact.custom_fields], ['1', { plan: 'team', seats: 2 }])
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.contact_id, third.id)
})

test('undoing a merge does not bring back an organization that was deleted since', async () => {
  const organizations = [await makeOrganization(api), await makeOrganization(api)]
  const [from, into] = [await full(), await full()]
  for (const [n, { id }] of [from, into].entries())
    await api.patch(`/contacts/${id}`, { organization_id: organizations[n]!.id })
  await merge(from, into, { organization_id: 'from' })
  await api.delete(`/organizations/${organizations[1]!.id}`)
  const { status, body } = await undo(from)
  assert.equal(status, 200)
  assert.deepEqual([body.contact.organization_id, body.into.organization_id], [organizations[0]!.id, null])
})

test('messages that the contact wrote after the merge go back with the ticket', async () => {
  const [from, into] = [await full(), await full()]
  const ticket = await makeTicket(api, { contact: { email: from.email }, content: 'Before' })
  await merge(from, into)
  const { id } = await makeMessage(api, ticket.id, { content: 'After' })
  await db`update messages set sender_type = 'contact', sender_id = ${into.id} where id = ${id}`
  await undo(from)
  const { items } = (await api.get(`/tickets/${ticket.id}/messages`)).body
  const senders = items.filter((one: Row) => one.sender_type === 'contact').map((one: Row) => one.sender_id)
  assert.deepEqual(senders, [from.id, from.id])
})

test('if several requests undo a merge at the same time, one succeeds', async () => {
  const [from, into] = [await full(), await full()]
  await merge(from, into)
  const statuses = (await Promise.all(Array.from({ length: 5 }, () => undo(from)))).map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses.sort(), [200, 409, 409, 409, 409])
})

test('a merge cannot be undone after 7 days, after a further merge, or by another project', async () => {
  const [from, into, third] = [await full(), await full(), await full()]
  await merge(from, into)
  assertEnvelope(await outsider.post(`/contacts/${from.id}/unmerge`), 404, 'CONTACT_NOT_FOUND')
  await merge(into, third)
  assertEnvelope(await undo(from), 409, 'CONTACT_MERGE_FINAL', { reason: 'merged' })
  assert.equal((await undo(into)).status, 200)
  await db`update contact_merges set merged_at = merged_at - interval '7 days' where source_id = ${from.id}`
  assertEnvelope(await undo(from), 409, 'CONTACT_MERGE_FINAL', { reason: 'too_old' })
  assert.deepEqual((await api.get(`/contacts/${into.id}/merges`)).body.items, [])
})

test('the audit log records merges and undone merges, without values of the contacts', async () => {
  const [from, into] = [await full(), await full()]
  await merge(from, into)
  await undo(from)
  const rows = await db`select action, target_name, detail from audit_entries
    where project_id = ${acme.id} and target_id = ${from.id} order by created_at, id`
  assert.deepEqual(
    rows.map(({ action, target_name, detail }) => [action, target_name, Object.values(detail)]),
    [
      ['contact.merged', null, [into.id]],
      ['contact.unmerged', null, [into.id]],
    ],
  )
})
