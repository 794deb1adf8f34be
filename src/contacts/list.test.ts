import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, unique } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db } = server
after(() => server.close())

const shapes = Array.from({ length: 23 }, (_, at) => ({
  ...{ full_name: `Person ${at}`, phone: `+49 30 ${at}`, telegram_id: 900 + at, external_id: `user-${at}` },
}))
const made = await Promise.all(shapes.map(shape => makeContact(api, shape)))
for (const [at, { id }] of made.entries()) {
  const time = `2026-01-15T10:30:${String(Math.floor(at / 4)).padStart(2, '0')}Z`
  await db`update contacts set created_at = ${time}, updated_at = ${time} where id = ${id}`
}
for (const shape of shapes.slice(0, 3)) await makeContact(outsider, shape)

const list = async (query: string) => {
  const answer = await api.get(`/contacts?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ids = (body: { items: { id: string }[] }) => body.items.map(item => item.id)
const one = made[5]

for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at']) {
  test(`sorted by ${sort}, pages and cursors return every contact once, in the same order`, async () => {
    const all = ids(await list(`sort=${sort}&page_size=100`))
    assert.deepEqual([...all].sort(), made.map(contact => contact.id).sort())
    const pages: string[] = []
    for (let page = 1; page <= 4; page++)
      pages.push(...ids(await list(`sort=${sort}&page_size=7&page=${page}`)))
    const cursors: string[] = []
    let cursor = ''
    do {
      const body = await list(`sort=${sort}&page_size=7${cursor && `&cursor=${cursor}`}`)
      cursors.push(...ids(body))
      cursor = body.next_cursor
    } while (cursor)
    assert.deepEqual([pages, cursors], [all, all])
  })
}

test('exact filters find only the contact with that value', async () => {
  const exact = {
    ...{ email: one.email, telegram_id: String(one.telegram_id), phone: one.phone },
    external_id: one.external_id,
  }
  for (const [name, value] of Object.entries(exact)) {
    const { items, total } = await list(`${name}=${encodeURIComponent(value)}`)
    assert.deepEqual([items.map((item: { id: string }) => item.id), total], [[one.id], 1], name)
    assert.equal((await list(`${name}=${encodeURIComponent(`${value}9`)}`)).total, 0, name)
  }
  assert.deepEqual(ids(await list(`email=${one.email.toUpperCase()}`)), [one.id])
})

test('q searches names and e-mail addresses', async () => {
  const name = `Zaphod${unique()}`
  const contact = await makeContact(api, { full_name: `${name} Beeblebrox` })
  for (const q of [name, name.toLowerCase(), `beeblebrox ${name}`, contact.email]) {
    assert.deepEqual(ids(await list(`q=${encodeURIComponent(q)}`)), [contact.id], q)
  }
  assert.equal((await outsider.get(`/contacts?q=${name}`)).body.total, 0)
  await db`delete from contacts where id = ${contact.id}`
})

test('any text in q returns a list', async () => {
  for (const q of ["'", '"', '&|!()<->:*', '\\', '%', ' ', '🦓', 'x'.repeat(500), ':*', '@'])
    await list(`q=${encodeURIComponent(q)}`)
})

test('is_blocked and updated_after filter the list', async () => {
  const { body } = await api.patch(`/contacts/${one.id}`, { is_blocked: true })
  assert.deepEqual(ids(await list('is_blocked=true')), [one.id])
  assert.equal((await list('is_blocked=false')).total, 22)
  assert.deepEqual(ids(await list(`updated_after=${body.updated_at}`)), [one.id])
})

test('tag filters by any of several tags', async () => {
  const [tag, other] = [unique(), unique()]
  const [first, second] = [
    await makeContact(api, { tags: [tag] }),
    await makeContact(api, { tags: [other, 'x'] }),
  ]
  assert.deepEqual(ids(await list(`tag=${tag}`)), [first.id])
  assert.deepEqual(ids(await list(`tag=${tag},${other}`)), [second.id, first.id])
  assert.deepEqual(ids(await list(`tag=${unique()}`)), [])
  assert.equal((await outsider.get(`/contacts?tag=${tag}`)).body.total, 0)
  await db`delete from contacts where id in ${db([first.id, second.id])}`
})

test('invalid values are schema mismatches, and unknown parameters are ignored', async () => {
  const wrong = [
    'page_size=0',
    'page_size=101',
    'page_size=abc',
    'is_blocked=x',
    'updated_after=x',
    'sort=name',
  ]
  for (const query of [...wrong, 'telegram_id=x', 'telegram_id=0', 'cursor=x']) {
    assertProblems(await api.get(`/contacts?${query}`), `query.${query.split('=')[0]}`)
  }
  assert.equal((await list('unknown=1&status=nope')).total, 23)
})

test("Rival's list contains no contacts of Acme", async () => {
  const { items } = (await outsider.get('/contacts?page_size=100')).body
  const ours = new Set(made.map(contact => contact.id))
  assert.ok(items.length > 0 && items.every((item: { id: string }) => !ours.has(item.id)))
})
