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
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} are one contact, wherever they stand`, async () => {
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

test('another mailbox is another contact', async () => {
  const ids = [`x${own}@example.com`, `x+shop${own}@example.com`, `x${own}@1.2`].map(
    async email => (await put({ email })).id,
  )
  assert.equal(new Set(await Promise.all(ids)).size, 3)
})

const invisible = ['', '   ', '\u00a0\u3000', '\u200b', '\u2800', '\u3164', '\u202e\u2066', '\t\n']

test('a text of a contact in which nothing is to be seen is none', async () => {
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

test('a name that nobody sees does not hide the address of who writes', async () => {
  const email = `${unique()}@example.com`
  const { id } = await makeTicket(api, { contact: { email, full_name: '\u200b' }, content: 'Hello' })
  const bot = await api.post(`/tickets/${id}/messages`, { content: 'Hello', sender_name: '\u2800' })
  const { items } = (await api.get(`/tickets/${id}/messages`)).body
  assert.deepEqual([items[0].sender_name, bot.body.sender_name], [email, server.acme.name])
})
