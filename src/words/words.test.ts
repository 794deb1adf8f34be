import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, makeTicket } from '../../test/cast.ts'
import { untilCounted } from '../../test/counted.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { joinCast } from '../../test/operator.ts'
import { gatherWords } from '../../test/questions/gather.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const find = async (q: string, caller = api): Promise<string[]> => {
  const body = await untilCounted(async () => {
    const { body, status, text } = await caller.get(`/tickets?q=${encodeURIComponent(q)}&page_size=100`)
    assert.equal(status, 200, text)
    return body
  })
  assert.equal(body.total, body.items.length, 'a search of few messages has a total')
  return body.items.map(({ id }: { id: string }) => id)
}

test('a word is found by its stem, by its beginning and with a typing error, in its own project only', async () => {
  const { id } = await makeTicket(api, { content: 'Two reimbursements arrived late, jackdaws cheered' })
  const other = await makeTicket(outsider, { content: 'Two reimbursements arrived late, jackdaws cheered' })
  await gatherWords(server, acme.id)
  await gatherWords(server, rival.id)
  for (const q of [
    'reimbursement arrive',
    'jackdaw',
    'reimb',
    'remibursements arrived',
    'jakcdaws late',
    'jackdows',
  ])
    assert.deepEqual([q, ...(await find(q))], [q, id])
  assert.deepEqual(await find('jackdaw', outsider), [other.id])
  for (const q of ['jackd arrived', 'arriving early', 'arrive4'])
    assert.deepEqual([q, ...(await find(q))], [q])
})

test('words joined by a hyphen are found as one word, and vice versa', async () => {
  const [joined, apart] = [
    await makeTicket(api, { content: 'zebrafinch' }),
    await makeTicket(api, { content: 'zebra-finch' }),
  ]
  for (const q of ['zebrafinch', 'zebra-finch', 'Zebra‑Finch'])
    assert.deepEqual(await find(q), [apart.id, joined.id], q)
})

test('typing errors are corrected in searches of contacts, articles and canned answers', async () => {
  const { olga } = await joinCast(server)
  const contact = await makeContact(api, { full_name: 'Wolfgang Thermopolis' })
  await makeArticle(db, acme, { slug: 'kettles', title: 'Kettles', markdown: 'Descaling your thermostat.' })
  const canned = await olga.api.post('/canned-answers', {
    shortcut: 'voucher',
    title: 'Voucher',
    content: 'Your gingerbread voucher.',
    scope: 'shared',
  })
  assert.equal(canned.status, 201, canned.text)
  await gatherWords(server, acme.id)
  const ask = async (path: string, caller = api) => (await caller.get(path)).body.items
  assert.deepEqual(
    (await ask('/contacts?q=thremopolis')).map(({ id }: { id: string }) => id),
    [contact.id],
  )
  assert.deepEqual(
    (await ask('/knowledge-base/articles?q=themrostat')).map(({ slug }: { slug: string }) => slug),
    ['kettles'],
  )
  assert.deepEqual(
    (await ask('/canned-answers?q=gignerbread', olga.api)).map(({ id }: { id: string }) => id),
    [canned.body.id],
  )
  assert.deepEqual(await ask('/contacts?q=thremopolis', outsider), [])
})

test('a typing error is corrected in articles even if a ticket contains the same error', async () => {
  await makeArticle(db, acme, { slug: 'parcels', title: 'Parcels', markdown: 'Shipping takes a week.' })
  await makeTicket(api, { content: 'Your shpiping takes long' })
  await gatherWords(server, acme.id)
  const { body } = await api.get('/knowledge-base/articles?q=shpiping')
  assert.deepEqual(
    body.items.map(({ slug }: { slug: string }) => slug),
    ['parcels'],
  )
})

test('adjacent excluded numbers are excluded separately', async () => {
  const both = ['Report of 2024', 'Report of 2025', 'Report of 2026']
  for (const subject of both) await makeTicket(api, { subject, content: 'quarterly' })
  const { body } = await api.get(`/tickets?q=${encodeURIComponent('quarterly -2024 -2025')}`)
  assert.deepEqual(
    body.items.map(({ subject }: { subject: string }) => subject),
    ['Report of 2026'],
  )
})

test('zeros alone do not match the beginning of a phone number', async () => {
  await makeContact(api, { phone: '+49 89 55512345' })
  assert.deepEqual((await api.get('/contacts?q=0000')).body.items, [])
})

test('an unsupported language causes no errors', async () => {
  const { id } = await makeTicket(api, {
    contact: { email: 'kolo@example.com', language: 'sl' },
    content: 'Zdravo, moja pošiljka kolovratnik ni prispela',
  })
  await makeTicket(api, { contact: { email: 'odd@example.com', language: 'constructor' }, content: 'oddity' })
  await gatherWords(server, acme.id)
  assert.deepEqual(await find('kolovratinik'), [id])
  for (const locale of ['sl', 'constructor'])
    assert.equal((await api.get(`/knowledge-base/articles?q=hello&locale=${locale}`)).status, 200, locale)
})

test('a typing error is corrected in a language without a stemmer, in the last word too', async () => {
  await db`update projects set default_locale = 'pl' where id = ${acme.id}`
  const { id } = await makeTicket(api, { content: 'Reklamacja przesyłki' })
  await gatherWords(server, acme.id)
  for (const q of ['reklmaacja', 'przesyłki reklmaacja', 'reklmaacja przesylki'])
    assert.deepEqual([q, ...(await find(q))], [q, id])
})
