import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, typesOf, unique } from '../../test/cast.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

/** Contacts that people create. */

const server = await startServer({ delivers: false })
const { api, outsider } = server
let omar: Person
let rita: Person

before(async () => {
  ;({ omar, rita } = await joinCast(server))
})
after(() => server.close())

test('a name or a phone number is enough', async () => {
  for (const fields of [{ full_name: 'Ann Lee' }, { phone: '+49 30 1234' }]) {
    const { status, body } = await omar.api.post('/contacts', fields)
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { ...fields, email: null, identities: [], source: 'operator' })
    assert.deepEqual((await omar.api.get(`/contacts/${body.id}`)).body, body)
  }
})

test('a contact has all the values that were sent, and integrations get no event', async () => {
  const sent = {
    ...{ full_name: 'Bea', email: `${unique()}@example.com`, telegram_id: 77, external_id: unique() },
    ...{
      phone: '+1 555 0100',
      language: 'fr',
      tags: ['vip'],
      custom_fields: { plan: 'gold' },
      note: 'Calls often',
    },
  }
  const types = await typesOf(server, async () => {
    const { body } = await omar.api.post('/contacts', sent)
    assert.partialDeepStrictEqual(body, sent)
    assert.deepEqual(
      body.identities.map(({ type, is_verified }: Record<string, unknown>) => [type, is_verified]),
      [
        ['email', false],
        ['external', false],
        ['telegram', false],
      ],
    )
  })
  assert.deepEqual(types, [])
})

test('a contact without a name, a phone number and an identifier is refused', async () => {
  for (const fields of [{}, { language: 'en', note: 'x' }, { full_name: ' ', phone: '\u200b' }]) {
    const { status, body } = await omar.api.post('/contacts', fields)
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body.detail, { field: 'full_name', reason: 'required' })
  }
})

test("another contact's identifier is refused with that contact's id, and that contact does not change", async () => {
  const known = await makeContact(api, { telegram_id: 4711, external_id: unique(), full_name: 'Ann Lee' })
  for (const field of ['email', 'telegram_id', 'external_id']) {
    const { status, body } = await omar.api.post('/contacts', { full_name: 'Eve', [field]: known[field] })
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body.detail, { field, reason: 'identifier_taken', contact_id: known.id })
  }
  assert.deepEqual((await api.get(`/contacts/${known.id}`)).body.full_name, 'Ann Lee')
  assert.equal((await api.get('/contacts?q=Eve')).body.total, 0)
})

test('if two people create the same contact at the same time, one is refused', async () => {
  const email = `${unique()}@example.com`
  const answers = await Promise.all([1, 2, 3].map(() => omar.api.post('/contacts', { email })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  assert.equal((await api.get(`/contacts?email=${email}`)).body.total, 1)
})

test('the same address in another project is another contact', async () => {
  const { email } = await makeContact(outsider)
  const { status, body } = await omar.api.post('/contacts', { email })
  assert.equal(status, 201)
  assert.equal((await rita.api.get(`/contacts/${body.id}`)).status, 404)
})

test('contacts are found by the beginning of their name, address, phone number or id', async () => {
  const word = unique()
  const fields = {
    full_name: `Ann ${word}`,
    email: `m${word}@example.com`,
    external_id: `u${word}`,
    phone: '+49 30 7654321',
  }
  const { body } = await omar.api.post('/contacts', { ...fields, telegram_id: 88 })
  await omar.api.patch(`/contacts/${body.id}`, { telegram_username: `t${word}` })
  const half = word.slice(0, 8)
  for (const q of [`ann ${half}`, `m${half}`, `u${half}`, '7654321', '+49 30 7654321', `t${half}`])
    assert.deepEqual(
      (await omar.api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.items.map(
        ({ id }: { id: string }) => id,
      ),
      [body.id],
      q,
    )
  assert.equal((await omar.api.get('/contacts?telegram_id=88')).body.items[0].id, body.id)
  assert.deepEqual((await rita.api.get(`/contacts?q=${half}`)).body.items, [])
})
