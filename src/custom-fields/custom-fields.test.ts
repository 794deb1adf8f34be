import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const add = (fields: object = {}) =>
  olga.api.post('/custom-fields', {
    record: 'ticket',
    key: `k${unique()}`,
    label: 'Order',
    type: 'text',
    ...fields,
  })

const listed = async (who: Person): Promise<{ id: string }[]> =>
  (await who.api.get('/custom-fields')).body.items

test('only admins define fields; everyone reads them in order', async () => {
  assertEnvelope(await omar.api.post('/custom-fields', {}), 403, 'ROLE_REQUIRED')
  const first = (await add()).body
  const second = (await add({ position: 0 })).body
  assert.equal(second.position, 0)
  const options = ['S', 'M']
  const third = (await add({ type: 'select', options, is_required: true })).body
  const contacts = (await add({ record: 'contact' })).body
  const ids = (await listed(omar)).map(({ id }) => id)
  assert.deepEqual(ids, [first.id, second.id, third.id, contacts.id])
  const changed = (await olga.api.patch(`/custom-fields/${third.id}`, { options: ['L'], label: 'Size' })).body
  assert.partialDeepStrictEqual(changed, { options: ['L'], label: 'Size', is_required: true })
  assert.equal((await olga.api.delete(`/custom-fields/${first.id}`)).status, 204)
  assertEnvelope(await olga.api.delete(`/custom-fields/${first.id}`), 404, 'CUSTOM_FIELD_NOT_FOUND')
  const { items } = (await olga.api.get('/audit?action=custom_field')).body
  assert.equal(items[0].action, 'custom_field.deleted')
})

test('a key is unique for each kind of record', async () => {
  const key = `k${unique()}`
  const answers = await Promise.all([1, 2, 3].map(() => add({ key })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assertEnvelope(await add({ key }), 409, 'CUSTOM_FIELD_EXISTS')
  assert.equal((await add({ key, record: 'contact' })).status, 201)
  assertProblems(await add({ key: 'Two Words' }), 'body.key')
  assertEnvelope(await add({ type: 'select' }), 422, 'VALIDATION_ERROR', {
    field: 'options',
    reason: 'required',
  })
})

const right: [string, unknown][] = [
  ['text', 'A-17'],
  ['number', 1.5],
  ['date', '2026-02-28'],
  ['select', 'M'],
  ['checkbox', true],
]
const wrong: [string, unknown, string][] = [
  ['text', 17, 'wrong_type'],
  ['number', '17', 'wrong_type'],
  ['date', '2026-02-30', 'wrong_type'],
  ['date', '2026-02-28T10:00:00Z', 'wrong_type'],
  ['select', 'XL', 'no_option'],
  ['select', ['M'], 'wrong_type'],
  ['checkbox', 'yes', 'wrong_type'],
]

test("people and integrations can only write values of the field's type; other keys accept any value", async () => {
  const ticket = await makeTicket(api)
  const set = (key: string, value: unknown, who = omar.api) =>
    who.patch(`/tickets/${ticket.id}`, { custom_fields: { [key]: value } })
  const keys: Record<string, string> = {}
  for (const [type] of right)
    keys[type] = (await add({ type, ...(type === 'select' && { options: ['S', 'M'] }) })).body.key
  for (const who of [omar.api, api]) {
    for (const [type, value] of right) {
      assert.deepEqual((await set(keys[type]!, value, who)).body.custom_fields[keys[type]!], value)
      assert.equal((await set(keys[type]!, null, who)).status, 200)
    }
    for (const [type, value, reason] of wrong)
      assertEnvelope(await set(keys[type]!, value, who), 422, 'VALIDATION_ERROR', { reason, key: keys[type] })
    assert.equal((await set('free', ['a'], who)).status, 200)
  }
})

test('values are checked by type in every operation that accepts them', async () => {
  const { key } = (await add({ type: 'date' })).body
  const { key: seats } = (await add({ record: 'contact', type: 'number' })).body
  const contact = { email: `${unique()}@example.com` }
  const wrong = (field: string, key: string) => ({ field, key, reason: 'wrong_type' })
  const ticket = await api.post('/tickets', { contact, custom_fields: { [key]: 'banana' } })
  assertEnvelope(ticket, 422, 'VALIDATION_ERROR', wrong('custom_fields', key))
  const owner = await api.post('/tickets', { contact: { ...contact, custom_fields: { [seats]: 'many' } } })
  assertEnvelope(owner, 422, 'VALIDATION_ERROR', wrong('contact.custom_fields', seats))
  const made = await api.post('/contacts', { ...contact, custom_fields: { [seats]: 'many' } })
  assertEnvelope(made, 422, 'VALIDATION_ERROR', wrong('custom_fields', seats))
  assert.equal((await api.get(`/contacts?email=${contact.email}`)).body.total, 0)
  const right = {
    contact: { ...contact, custom_fields: { [seats]: 3 } },
    custom_fields: { [key]: '2026-01-31' },
  }
  assert.equal((await api.post('/tickets', right)).status, 201)
})

test('numbers that would be rounded are refused, alone and in a list', async () => {
  const { id } = await makeContact(api)
  const send = (value: string) =>
    api.patch(`/contacts/${id}`, undefined, { raw: `{"custom_fields":{"n":${value}}}` })
  for (const value of ['9007199254740993', '-9007199254740993', '1e300'])
    assertProblems(await send(value), 'body.custom_fields.n')
  assertProblems(await send('[1, 9007199254740993]'), 'body.custom_fields.n.1')
  for (const value of [9007199254740991, -9007199254740991, 0.5])
    assert.equal((await send(String(value))).body.custom_fields.n, value)
})

test('integrations list the fields oldest first, and by record', async () => {
  const field = (await add({ record: 'contact', type: 'select', options: ['S', 'M'] })).body
  const { body } = await api.get('/custom-fields?page_size=100')
  assert.deepEqual(body.items.at(-1), field)
  assert.equal(body.total, (await listed(olga)).length)
  const records = (await api.get('/custom-fields?record=contact')).body.items.map(
    (one: { record: string }) => one.record,
  )
  assert.deepEqual([...new Set(records)], ['contact'])
  assertProblems(await api.get('/custom-fields?record=message'), 'query.record')
  assert.deepEqual((await server.outsider.get('/custom-fields')).body.items, [])
})

test('integrations can empty a required field, people cannot', async () => {
  const { key } = (await add({ record: 'contact', is_required: true })).body
  const contact = await makeContact(api, { custom_fields: { [key]: 'A' } })
  for (const value of [null, '']) {
    const answer = await omar.api.patch(`/contacts/${contact.id}`, { custom_fields: { [key]: value } })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'custom_fields', reason: 'required', key })
  }
  const emptied = await api.patch(`/contacts/${contact.id}`, { custom_fields: { [key]: null } })
  assert.equal(emptied.status, 200)
  const kept = await omar.api.patch(`/contacts/${contact.id}`, { custom_fields: { [key]: 'B' }, note: 'x' })
  assert.deepEqual([kept.status, kept.body.custom_fields[key]], [200, 'B'])
})

test('the context of a ticket contains its contact, their other tickets and the custom fields', async () => {
  const contact = { email: `${unique()}@example.com`, full_name: 'Ann Lee' }
  const tickets = []
  for (let n = 0; n < 12; n++) tickets.push(await makeTicket(api, { contact }))
  const { body } = await omar.api.get(`/tickets/${tickets[5].id}/context`)
  assert.partialDeepStrictEqual(body.contact, { full_name: 'Ann Lee', tickets_count: 12 })
  const others = tickets.filter((_, n) => n !== 5).map(({ id }) => id)
  assert.deepEqual(
    body.tickets.map(({ id }: { id: string }) => id),
    others.reverse().slice(0, 10),
  )
  assert.deepEqual([...body.custom_fields.ticket, ...body.custom_fields.contact], await listed(omar))
})

test("Rival cannot list, change or delete Acme's fields, or read the context of its tickets", async () => {
  const { id } = (await add()).body
  const ticket = await makeTicket(api)
  assert.deepEqual(await listed(rita), [])
  for (const one of [id, nobody, 'nope']) {
    assertEnvelope(
      await rita.api.patch(`/custom-fields/${one}`, { label: 'x' }),
      404,
      'CUSTOM_FIELD_NOT_FOUND',
    )
    assertEnvelope(await rita.api.delete(`/custom-fields/${one}`), 404, 'CUSTOM_FIELD_NOT_FOUND')
  }
  assertEnvelope(await rita.api.get(`/tickets/${ticket.id}/context`), 404, 'TICKET_NOT_FOUND')
})
