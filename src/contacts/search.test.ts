import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
  const anna = {
    email: 'anna@example.com',
    full_name: 'Anna-Maria Lee',
    phone: '+1-555-0100',
    external_id: 'user_42',
  }
  await server.api.post('/contacts', anna)
})
after(() => server.close())

const found = async (q: string, api = server.api): Promise<number> =>
  (await api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.total

for (const q of [
  'anna-maria',
  'Anna-Maria Lee',
  'mar',
  'anna@exam',
  'example.com',
  '+1-555-0100',
  '555',
  'user_42',
]) {
  test(`a contact is found by "${q}"`, async () => {
    assert.equal(await found(q), 1)
    assert.equal(await found(q, server.outsider), 0)
  })
}

test('a contact is found by a word that begins like a number with an exponent', async () => {
  await server.api.post('/contacts', { email: '234e28c9fe6a@example.org' })
  for (const q of ['234e28c9fe6a@example.org', '234e28c9', '234e28c9fe6a']) assert.equal(await found(q), 1, q)
})

test('a search finds only contacts with all of its words', async () => {
  assert.equal(await found('anna bob'), 0)
  assert.equal(await found('@@'), 0)
})

test('custom fields that would become too large are refused, and the old ones stay', async () => {
  const fields = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${prefix}${n}`, n]))
  const first = await server.api.patch('/contacts/external:user_42', { custom_fields: fields('a') })
  assert.equal(first.status, 200)
  const second = await server.api.patch('/contacts/external:user_42', { custom_fields: fields('b') })
  assert.equal(second.status, 422)
  assert.equal(second.body.detail.reason, 'too_large')
  const { body } = await server.api.get('/contacts/external:user_42')
  assert.deepEqual(body.custom_fields, fields('a'))
})
