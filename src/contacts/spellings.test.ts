import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket, unique } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

const put = async (fields: object) => {
  const answer = await api.post('/contacts', { email: `${unique()}@example.com`, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const own = unique()
const spellings = [
  [`Jane.${own}@Example.COM`, `jane.${own}@example.com`, `jane.${own}@example.com`],
  [`a${own}@xn--bcher-kva.example`, `a${own}@BÜCHER.example`, `a${own}@bücher.example`],
  [`jose\u0301${own}@example.com`, `JOS\u00c9${own}@example.com`, `jos\u00e9${own}@example.com`],
] as const

for (const [one, other, kept] of spellings)
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} are one contact in every operation`, async () => {
    const { id, email } = await put({ email: one })
    assert.equal(email, kept)
    assert.equal((await put({ email: other })).id, id)
    assert.equal((await makeTicket(api, { contact: { email: other } })).contact_id, id)
    const { items } = (await api.get(`/contacts?email=${encodeURIComponent(other)}`)).body
    assert.deepEqual([items.length, items[0]?.id], [1, id])
    assert.equal((await api.get(`/contacts/${encodeURIComponent(`email:${other}`)}`)).body.id, id)
    const patched = await api.patch(`/contacts/${id}`, { email: other })
    assert.deepEqual([patched.status, patched.body.email], [200, kept])
  })

test('different mailboxes are different contacts', async () => {
  const ids = [`x${own}@example.com`, `x+shop${own}@example.com`, `x${own}@1.2`].map(
    async email => (await put({ email })).id,
  )
  assert.equal(new Set(await Promise.all(ids)).size, 3)
})

const invisible = ['', '   ', '\u00a0\u3000', '\u200b', '\u2800', '\u3164', '\u202e\u2066', '\t\n']

test("a contact's text without visible characters is stored as null", async () => {
  for (const text of invisible) {
    const sent = { full_name: text, phone: text, language: text }
    const { id, ...made } = await put(sent)
    assert.deepEqual([made.full_name, made.phone, made.language], [null, null, null], JSON.stringify(text))
    const change = { ...sent, telegram_username: text, avatar_url: text, timezone: text, note: text }
    const { body } = await api.patch(`/contacts/${id}`, change)
    for (const field of Object.keys(change))
      assert.equal(body[field], null, `${field} ${JSON.stringify(text)}`)
  }
  assert.equal((await put({ full_name: ' Ann \u200d' })).full_name, ' Ann \u200d')
})

test("a name without visible characters is replaced by the contact's address or the project's name", async () => {
  const email = `${unique()}@example.com`
  const { id } = await makeTicket(api, { contact: { email, full_name: '\u200b' }, content: 'Hello' })
  const bot = await api.post(`/tickets/${id}/messages`, { content: 'Hello', sender_name: '\u2800' })
  const { items } = (await api.get(`/tickets/${id}/messages`)).body
  assert.deepEqual([items[0].sender_name, bot.body.sender_name], [email, server.acme.name])
})

/** Stores an address as earlier versions did, which only converted it to lower case. */
async function putAsBefore(stored: string) {
  const { id, email } = await put({})
  await server.db`update contacts set email = ${stored} where project_id = ${server.acme.id} and id = ${id}`
  await server.db`
    update contact_identities set value = ${stored} where project_id = ${server.acme.id} and value = ${email}`
  return id
}

const older = (name: string) =>
  [
    [`${name}@xn--bcher-kva.example`, `${name}@bücher.example`],
    [`${name}\u0065\u0301@example.com`, `${name}\u00e9@example.com`],
    [`${name}\u0065\u0301@xn--bcher-kva.example`, `${name}\u00e9@bücher.example`],
  ] as const

const idsOf = async (email: string): Promise<string[]> =>
  (await api.get(`/contacts?email=${encodeURIComponent(email)}`)).body.items.map(
    (one: { id: string }) => one.id,
  )

for (const at of [0, 1, 2])
  test(`a contact whose address is stored in an older spelling is found by every spelling: ${at + 1}`, async () => {
    const [stored, folded] = older(unique())[at]!
    const id = await putAsBefore(stored)
    for (const email of [stored, stored.toUpperCase(), folded]) {
      const again = await api.post('/contacts', { email })
      assert.deepEqual([again.status, again.body.id, again.body.created], [201, id, false], again.text)
      assert.equal((await makeTicket(api, { contact: { email } })).contact_id, id)
      assert.deepEqual(await idsOf(email), [id])
      assert.equal((await api.get(`/contacts/${encodeURIComponent(`email:${email}`)}`)).body.id, id)
      assert.equal((await api.patch(`/contacts/${id}`, { email })).body.email, stored)
      const other = await put({})
      const taken = await api.patch(`/contacts/${other.id}`, { email })
      assert.deepEqual([taken.status, taken.body.detail?.reason], [422, 'identifier_taken'], taken.text)
      assert.equal((await server.outsider.post('/contacts', { email })).body.created, email === stored)
    }
  })

test('if two older contacts have spellings of the same address, each is found by exactly its stored spelling', async () => {
  const [stored, folded] = older(unique())[0]!
  const { id: second } = await put({ email: folded })
  const first = await putAsBefore(stored)
  assert.deepEqual([await idsOf(stored), await idsOf(folded)], [[first], [second]])
  assert.equal((await api.post('/contacts', { email: stored })).body.id, first)
  assert.equal((await api.post('/contacts', { email: folded })).body.id, second)
})
