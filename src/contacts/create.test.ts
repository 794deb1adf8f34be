import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeContact, makeTicket, unique } from '../../test/cast.ts'
import { assertBrief, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const email = () => `${unique()}@example.com`
let lastTelegram = 5_000_000
const telegram = () => ++lastTelegram
const put = async (fields: object) => {
  const answer = await api.post('/contacts', fields)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('creating a contact returns the whole record with created: true', async () => {
  const mail = email()
  const body = await put({ email: mail, full_name: 'Ann Lee' })
  assert.partialDeepStrictEqual(body, {
    ...{ internal_id: body.id, external_id: null, workspace_id: acme.id, full_name: 'Ann Lee', email: mail },
    ...{ phone: null, telegram_id: null, telegram_username: null, avatar_url: null, language: null },
    ...{ timezone: null, source: 'api', note: null, is_blocked: false, blocked_at: null, tickets_count: 0 },
    ...{ open_tickets_count: 0, last_seen_at: null, created: true, custom_fields: {}, version: 1 },
  })
  assert.deepEqual([body.tags, body.conflicts ?? []], [[], []])
  assert.partialDeepStrictEqual(body.identities, [{ type: 'email', value: mail, is_primary: true }])
  const self = `/api/v1/contacts/${body.id}`
  assert.deepEqual(body._links, { self, contact: self, tickets: `${self}/tickets` })
  const { created: _, conflicts: __, ...record } = body
  assert.deepEqual((await api.get(`/contacts/${body.id}`)).body, record)
})

test('spec 4.2 POST contacts 201: an existing contact is returned with 201 too, and created: false', async () => {
  const mail = email()
  const first = await put({ email: mail })
  const again = await put({ email: mail.toUpperCase() })
  assert.deepEqual([again.id, first.created, again.created], [first.id, true, false])
})

test('the API emits no contact.* events', async () => {
  const mail = email()
  const events = await eventsOf(server, async () => {
    await put({ email: mail })
    await put({ email: mail, full_name: 'New Name' })
    await api.patch(`/contacts/email:${mail}`, { is_blocked: true })
  })
  assert.deepEqual(events, [])
})

test('spec 4.2 POST contacts 400: a contact without telegram_id and email is refused with 400 in the brief form', async () => {
  const text = 'At least one of telegram_id, email is required'
  for (const body of [{}, { external_id: 'x' }, { full_name: 'A' }, { email: null, telegram_id: null }]) {
    assertBrief(await api.post('/contacts', body), 400, text)
  }
})

test('a contact is looked up by external_id first, then by telegram_id, then by email', async () => {
  const [one, two, three] = [
    await put({ email: email(), external_id: unique() }),
    await put({ telegram_id: telegram() }),
    await put({ email: email() }),
  ]
  const all = { external_id: one.external_id, telegram_id: two.telegram_id, email: three.email }
  const first = await put(all)
  assert.deepEqual([first.id, first.created], [one.id, false])
  assert.deepEqual([...first.conflicts].sort(), ['email', 'telegram_id'])
  const second = await put({ telegram_id: two.telegram_id, email: three.email })
  assert.deepEqual([second.id, second.conflicts], [two.id, ['email']])
  const third = await put({ external_id: unique(), email: three.email })
  assert.equal(third.id, three.id)
})

test('an identifier of another contact stays with that contact', async () => {
  const [one, two] = [await put({ email: email() }), await put({ telegram_id: telegram() })]
  const body = await put({ telegram_id: two.telegram_id, email: one.email, full_name: 'Two' })
  assert.deepEqual([body.id, body.email, body.full_name], [two.id, null, 'Two'])
  assert.equal((await api.get(`/contacts/email:${one.email}`)).body.id, one.id)
  assert.equal((await api.get(`/contacts/${one.id}`)).body.full_name, null)
})

test('missing identifiers are added to the contact that is found', async () => {
  const [mail, id] = [email(), telegram()]
  const first = await put({ email: mail })
  const body = await put({ email: mail, telegram_id: id, external_id: 'site-1' })
  assert.partialDeepStrictEqual(body, { id: first.id, telegram_id: id, external_id: 'site-1' })
  assert.deepEqual(body.identities.map((one: { type: string }) => one.type).sort(), [
    ...['email', 'external', 'telegram'],
  ])
  assert.equal((await put({ telegram_id: id })).id, first.id)
})

test('adding an identifier to an existing contact raises its version and updated_at; sending it again does not', async () => {
  const one = await put({ email: email(), external_id: unique() })
  const sent = { email: email(), external_id: one.external_id }
  const two = await put(sent)
  assert.deepEqual([two.id, two.identities.length, two.version], [one.id, 3, one.version + 1])
  assert.ok(two.updated_at > one.updated_at)
  assert.equal((await put(sent)).version, two.version)
})

test('sent fields are overwritten, and the others stay', async () => {
  const mail = email()
  await put({ email: mail, full_name: 'Old', phone: '+1', tags: ['a'], custom_fields: { keep: 1 } })
  const body = await put({ email: mail, full_name: 'New', custom_fields: { more: true } })
  assert.partialDeepStrictEqual(body, {
    full_name: 'New',
    phone: '+1',
    custom_fields: { keep: 1, more: true },
  })
  assert.deepEqual(body.tags, ['a'])
})

test('telegram_id is accepted as an integer or a string of digits, and returned as an integer', async () => {
  const [one, two] = [telegram(), telegram()]
  assert.strictEqual((await put({ telegram_id: one })).telegram_id, one)
  assert.strictEqual((await put({ telegram_id: String(two) })).telegram_id, two)
  assert.equal((await put({ telegram_id: `${one}` })).created, false)
})

test('a telegram_id can be up to 2^53 - 1, as a number or as text, and finds its contact', async () => {
  const largest = Number.MAX_SAFE_INTEGER
  for (const [smallest, largestId] of [
    [1, largest],
    ['1', String(largest)],
  ] as const) {
    assert.strictEqual((await put({ telegram_id: smallest })).telegram_id, 1)
    const { id, telegram_id } = await put({ telegram_id: largestId })
    assert.strictEqual(telegram_id, largest)
    const { items } = (await api.get(`/contacts?telegram_id=${largestId}`)).body
    assert.deepEqual([items.length, items[0]?.id], [1, id])
    assert.equal((await api.get(`/contacts/telegram:${largestId}`)).body.id, id)
    assert.equal((await outsider.get(`/contacts?telegram_id=${largestId}`)).body.total, 0)
  }
  for (const telegram_id of [largest + 1, String(largest + 1), '9'.repeat(16), '9'.repeat(17)]) {
    assertProblems(await api.post('/contacts', { telegram_id }), 'body.telegram_id')
    assertProblems(await api.get(`/contacts?telegram_id=${telegram_id}`), 'query.telegram_id')
  }
})

test('an invalid telegram_id is a schema mismatch', async () => {
  const wrong = [
    0,
    -1,
    1.5,
    '12a',
    '',
    ' 1',
    '-1',
    '1e3',
    '0x1',
    true,
    [],
    {},
    2 ** 53,
    '9'.repeat(30),
    '１２',
  ]
  for (const telegram_id of wrong) {
    assertProblems(await api.post('/contacts', { telegram_id }), 'body.telegram_id')
    assertProblems(await api.post('/tickets', { contact: { telegram_id } }), 'body.contact.telegram_id')
  }
})

test('an invalid e-mail address is a schema mismatch', async () => {
  const long = `${'a'.repeat(250)}@x.io`
  for (const one of [
    '',
    'ann',
    'ann@',
    '@x.io',
    'a b@x.io',
    'a@b',
    'a@@x.io',
    'a@x.io\n',
    'a@x..io',
    long,
    5,
    {},
  ]) {
    assertProblems(await api.post('/contacts', { email: one }), 'body.email')
    assertProblems(await api.post('/tickets', { contact: { email: one } }), 'body.contact.email')
  }
})

test('unusual but valid e-mail addresses are accepted', async () => {
  for (const one of ["o'neil", 'a+b', 'a.b_c-d', 'ünï', '1']) {
    const mail = `${one}.${unique()}@exämple.co.uk`
    assert.equal((await put({ email: mail })).email, mail.toLowerCase())
  }
})

test('each field of the wrong type is a schema mismatch with its own problem', async () => {
  const wrong = {
    ...{ full_name: 1, phone: [], external_id: 7, language: {}, tags: 'x', custom_fields: 'y' },
  }
  const answer = await api.post('/contacts', { email: email(), ...wrong })
  assertProblems(answer, ...Object.keys(wrong).map(name => `body.${name}`))
  assertProblems(await api.post('/contacts', { email: email(), tags: [1] }), 'body.tags.0:string_type')
  assertProblems(
    await api.post('/contacts', { email: email(), full_name: 'x'.repeat(256) }),
    'body.full_name',
  )
})

test('20 simultaneous requests to create the same contact create it once', async () => {
  for (const identity of [
    { email: email() },
    { telegram_id: telegram() },
    { email: email(), external_id: unique() },
  ]) {
    const bodies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => put({ ...identity, full_name: `N${at}` })),
    )
    assert.equal(new Set(bodies.map(body => body.id)).size, 1)
    assert.equal(bodies.filter(body => body.created).length, 1)
  }
})

test('simultaneous requests with overlapping identifiers all succeed', async () => {
  for (let round = 0; round < 5; round++) {
    const [mail, id] = [email(), telegram()]
    const shapes = [
      { email: mail },
      { telegram_id: id },
      { email: mail, telegram_id: id },
      { telegram_id: id, email: mail },
    ]
    const bodies = await Promise.all([...shapes, ...shapes, ...shapes].map(put))
    const owners = await db`select contact_id from contact_identities
      where project_id = ${acme.id} and value in (${mail}, ${String(id)})`
    assert.equal(owners.length, 2)
    for (const body of bodies) assert.ok(owners.some(owner => owner.contact_id === body.id))
  }
})

test("tickets_count and open_tickets_count count the contact's tickets", async () => {
  const person = await makeContact(api)
  const contact = { email: person.email }
  const ticket = await makeTicket(api, { contact })
  await makeTicket(api, { contact, status: 'closed' })
  const counts = async () => {
    const { tickets_count, open_tickets_count } = (await api.get(`/contacts/${person.id}`)).body
    return [tickets_count, open_tickets_count]
  }
  assert.deepEqual(await counts(), [2, 1])
  await api.post(`/tickets/${ticket.id}/close`)
  assert.deepEqual(await counts(), [2, 0])
})

test('contacts of two projects with the same identifiers are separate contacts', async () => {
  const fields = { email: email(), telegram_id: telegram(), external_id: unique() }
  const [ours, theirs] = [await put(fields), await makeContact(outsider, fields)]
  assert.notEqual(ours.id, theirs.id)
  assert.equal(theirs.created, true)
})
