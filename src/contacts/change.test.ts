import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeContact, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider } = server
after(() => server.close())

let lastTelegram = 6_000_000
const full = () =>
  makeContact(api, { telegram_id: ++lastTelegram, external_id: `user/${unique()}:7`, full_name: 'Ann' })
const change = (contact: { id: string }, fields: object, headers = {}) =>
  api.patch(`/contacts/${contact.id}`, fields, { headers })

test('a contact is read by id, email:, telegram: and external:', async () => {
  const contact = await full()
  const aliases = [
    ...[contact.id, `email:${contact.email}`, `email:${contact.email.toUpperCase()}`],
    ...[`telegram:${contact.telegram_id}`, `external:${encodeURIComponent(contact.external_id)}`],
  ]
  for (const alias of aliases) {
    assert.equal((await api.get(`/contacts/${alias}`)).body?.id, contact.id, alias)
    assert.equal((await api.get(`/contacts/${alias}/tickets`)).status, 200, alias)
    assert.equal((await api.patch(`/contacts/${alias}`, { note: alias })).body.note, alias)
  }
})

test('an alias of an unknown contact, or of a contact of Rival, is 404', async () => {
  const theirs = await makeContact(outsider, { telegram_id: 31337, external_id: 'rival' })
  const wrong = [
    'email:',
    'telegram:x',
    'telegram:99999999999999999999',
    'phone:1',
    'email:a%00b',
    ':',
    'external:',
  ]
  for (const one of [
    ...wrong,
    nobody,
    theirs.id,
    `email:${theirs.email}`,
    'telegram:31337',
    'external:rival',
  ]) {
    assertEnvelope(await api.get(`/contacts/${one}`), 404, 'CONTACT_NOT_FOUND')
    assertEnvelope(await api.patch(`/contacts/${one}`, { note: 'x' }), 404, 'CONTACT_NOT_FOUND')
    assertEnvelope(await api.get(`/contacts/${one}/tickets`), 404, 'CONTACT_NOT_FOUND')
  }
  assert.equal((await outsider.get(`/contacts/${theirs.id}`)).body.note, null)
})

test('every writable field can be changed, and only the sent fields change', async () => {
  const contact = await full()
  const sent = {
    ...{ full_name: 'Bea', phone: '+49 1', language: 'de', note: 'Kind', timezone: 'Europe/Berlin' },
    ...{ telegram_username: 'bea', avatar_url: 'https://x.test/a.png', custom_fields: { n: 1 } },
  }
  const { body } = await change(contact, { ...sent, tags: ['a'] })
  assert.partialDeepStrictEqual(body, { ...sent, email: contact.email, telegram_id: contact.telegram_id })
  const again = (await change(contact, { full_name: null })).body
  assert.partialDeepStrictEqual(again, { ...sent, full_name: null })
  assert.deepEqual(again.tags, ['a'])
})

test('custom_fields are merged, and null deletes a key; tags are replaced', async () => {
  const contact = await makeContact(api, { tags: ['a'], custom_fields: { a: 1, b: 2 } })
  const { body } = await change(contact, { tags: ['b'], custom_fields: { a: null, c: [true] } })
  assert.deepEqual([body.tags, body.custom_fields], [['b'], { b: 2, c: [true] }])
})

test("another contact's identifier is refused with identifier_taken and that contact's id, and nothing changes", async () => {
  const [one, two] = [await full(), await full()]
  for (const field of ['email', 'telegram_id', 'external_id']) {
    const answer = await change(one, { full_name: 'X', [field]: two[field] })
    const detail = { field, reason: 'identifier_taken', contact_id: two.id }
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', detail)
  }
  const { created: _, conflicts: __, ...record } = one
  assert.deepEqual((await api.get(`/contacts/${one.id}`)).body, record)
})

test("an identifier of Rival's contact can be given to a contact of Acme", async () => {
  const theirs = await makeContact(outsider)
  const ours = await full()
  assert.equal((await change(ours, { email: theirs.email })).body.email, theirs.email)
})

test('a new identifier resolves to the contact, and a removed one no longer does', async () => {
  const contact = await full()
  const email = `${unique()}@example.com`
  assert.equal((await change(contact, { email })).body.email, email)
  assert.equal((await api.get(`/contacts/email:${email}`)).body.id, contact.id)
  assert.equal((await change(contact, { telegram_id: null })).body.telegram_id, null)
  assertEnvelope(await api.get(`/contacts/telegram:${contact.telegram_id}`), 404, 'CONTACT_NOT_FOUND')
})

test('if several contacts are given the same new identifier at once, only one gets it', async () => {
  const email = `${unique()}@example.com`
  const contacts = await Promise.all(Array.from({ length: 8 }, full))
  const statuses = (await Promise.all(contacts.map(one => change(one, { email })))).map(
    answer => answer.status,
  )
  assert.deepEqual(statuses.sort(), [200, ...Array(7).fill(422)])
})

test('a blocked contact gets no new tickets until it is unblocked', async () => {
  const contact = await full()
  const blocked = (await change(contact, { is_blocked: true })).body
  assert.equal(blocked.is_blocked, true)
  assert.match(blocked.blocked_at, /^\d{4}-/)
  for (const one of [{ email: contact.email }, { telegram_id: contact.telegram_id }]) {
    assertEnvelope(await api.post('/tickets', { contact: one }), 403, 'CONTACT_BLOCKED')
  }
  assert.equal((await change(contact, { is_blocked: true })).body.blocked_at, blocked.blocked_at)
  const free = (await change(contact, { is_blocked: false })).body
  assert.deepEqual([free.is_blocked, free.blocked_at], [false, null])
  assert.equal((await makeTicket(api, { contact: { email: contact.email } })).contact.is_blocked, false)
})

test('values of the wrong type are schema mismatches', async () => {
  const contact = await full()
  const wrong = {
    email: 'ann',
    telegram_id: 'x',
    external_id: '',
    is_blocked: 1,
    note: [],
    tags: {},
    language: 4,
  }
  for (const [field, value] of Object.entries(wrong)) {
    assertProblems(await change(contact, { [field]: value }), `body.${field}`)
  }
})

test('If-Match with a stale version is 412', async () => {
  const contact = await full()
  const headers = { 'if-match': `"${contact.version}"` }
  assert.equal((await change(contact, { note: 'A' }, headers)).status, 200)
  assertBrief(await change(contact, { note: 'B' }, headers), 412)
  assert.equal((await api.get(`/contacts/${contact.id}`)).body.note, 'A')
})

const merge = (from: { id: string }, into: string) =>
  api.post(`/contacts/${from.id}/merge`, { into_contact_id: into })

test('merging moves tickets and identifiers to the target, and removes the source from the list', async () => {
  const [from, into] = [await full(), await makeContact(api)]
  const ticket = await makeTicket(api, { contact: { email: from.email }, content: 'Mine' })
  const { status, body } = await merge(from, into.id)
  assert.deepEqual([status, body.id, body.tickets_count], [200, into.id, 1])
  assert.deepEqual([body.email, body.telegram_id], [into.email, from.telegram_id])
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.contact_id, into.id)
  assert.equal((await api.get(`/contacts/email:${from.email}`)).body.id, into.id)
  assert.equal((await makeTicket(api, { contact: { email: from.email } })).contact_id, into.id)
  const listed = (await api.get('/contacts?page_size=100')).body.items
  assert.ok(listed.every((one: { id: string }) => one.id !== from.id))
})

test('a contact cannot be merged into itself, an unknown contact, or a contact of Rival', async () => {
  const [ours, theirs] = [await full(), await makeContact(outsider)]
  for (const target of [ours.id, nobody, 'nope', theirs.id]) {
    const answer = await merge(ours, target)
    assert.ok([404, 422].includes(answer.status), answer.text)
    assert.ok(['VALIDATION_ERROR', 'CONTACT_NOT_FOUND'].includes(answer.body.error_code))
  }
  assertEnvelope(await merge(theirs, ours.id), 404, 'CONTACT_NOT_FOUND')
  assertProblems(await api.post(`/contacts/${ours.id}/merge`, {}), 'body.into_contact_id:missing')
  assert.equal((await outsider.get(`/contacts/${theirs.id}`)).body.id, theirs.id)
})

test('two contacts merged into each other at once become one contact, without a deadlock', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = [await full(), await full()]
    const answers = await Promise.all([merge(one, two.id), merge(two, one.id)])
    assert.ok(answers.every(answer => answer.status < 500))
    const [first, second] = [await api.get(`/contacts/${one.id}`), await api.get(`/contacts/${two.id}`)]
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.equal(first.body.id, second.body.id)
  }
})

test('tickets created while their contact is merged belong to the target', async () => {
  const [from, into] = [await full(), await makeContact(api)]
  const [answer, ...tickets] = await Promise.all([
    merge(from, into.id),
    ...Array.from({ length: 10 }, () => makeTicket(api, { contact: { email: from.email } })),
  ])
  assert.equal(answer.status, 200)
  for (const ticket of tickets)
    assert.equal((await api.get(`/tickets/${ticket.id}`)).body.contact_id, into.id)
})

test('merging a contact emits an event for each of its tickets, closed ones too, and raises their updated_at and version', async () => {
  const [from, into] = [await full(), await makeContact(api)]
  const contact = { email: from.email }
  const tickets = [await makeTicket(api, { contact, content: 'Mine' }), await makeTicket(api, { contact })]
  await api.post(`/tickets/${tickets[1].id}/close`)
  const read = () => Promise.all(tickets.map(async ({ id }) => (await api.get(`/tickets/${id}`)).body))
  const before = await read()
  const events = await eventsOf(server, () => merge(from, into.id))
  const data = { cause: 'contact_merged', contact_id: into.id, previous_contact_id: from.id }
  const byId = (one: { ticket_id: string }, other: { ticket_id: string }) =>
    one.ticket_id < other.ticket_id ? -1 : 1
  assert.deepEqual(
    events.map(({ data }) => data).sort(byId),
    tickets.map(({ id }) => ({ ticket_id: id, ...data })).sort(byId),
  )
  for (const [at, now] of (await read()).entries())
    assert.ok(now.updated_at > before[at].updated_at && now.version > before[at].version)
})

test('a merged contact is readable with include_merged, by id and in lists, and names the contact it was merged into', async () => {
  const [first, second, third] = [await full(), await full(), await full()]
  await merge(first, second.id)
  const since = (await api.get(`/contacts/${second.id}`)).body.updated_at
  await merge(second, third.id)
  const itself = (await api.get(`/contacts/${first.id}?include_merged=true`)).body
  assert.deepEqual([itself.id, itself.merged_into_id], [first.id, third.id])
  assert.equal((await api.get(`/contacts/${third.id}`)).body.merged_into_id, null)
  const list = async (query: string) =>
    (await api.get(`/contacts?sort=updated_at&updated_after=${since}&${query}`)).body.items.map(
      (one: { id: string; merged_into_id: string | null }) => [one.id, one.merged_into_id],
    )
  assert.deepEqual(await list(''), [[third.id, null]])
  const all = await list('include_merged=true')
  assert.deepEqual(
    all.sort(),
    [
      [first.id, third.id],
      [second.id, third.id],
      [third.id, null],
    ].sort(),
  )
  assert.equal((await outsider.get(`/contacts/${first.id}?include_merged=true`)).status, 404)
})

test('changing a contact during its merge succeeds, and later changes apply to the target', async () => {
  for (let round = 0; round < 10; round++) {
    const [from, into] = [await full(), await makeContact(api)]
    const [, ...changed] = await Promise.all([
      merge(from, into.id),
      ...Array.from({ length: 4 }, () => change(from, { note: unique() })),
    ])
    assert.deepEqual([...new Set(changed.map(({ status }) => status))], [200])
    assert.equal((await change(from, { note: 'Last' })).body.id, into.id)
  }
})
