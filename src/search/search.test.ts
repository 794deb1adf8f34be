import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket, unique } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { leaveWithoutKnowledge, makeArticle } from '../../test/knowledge.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { makeOrganization } from '../../test/organization.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let omar: Person
let rita: Person

before(async () => {
  ;({ omar, rita } = await joinCast(server))
})
after(() => server.close())

const search = async (who: Person, q: string) =>
  (await who.api.get(`/search?q=${encodeURIComponent(q)}`)).body as Record<string, { id: string }[]>

const ids = (records: { id: string }[] | undefined) => records!.map(({ id }) => id)

const nothing = { tickets: [], contacts: [], organizations: [], articles: [] }

test('one search finds tickets, contacts, organizations and articles', async () => {
  const word = `w${unique()}`
  const contact = { email: `${word}@example.com`, full_name: 'Ann Lee' }
  const ticket = await makeTicket(api, { contact, content: `About ${word}` })
  const { slug } = await makeArticle(db, acme, { title: `All about ${word}` })
  const organization = await makeOrganization(api, { name: `The ${word} company` })
  const found = await search(omar, word)
  assert.deepEqual(ids(found.organizations), [organization.id])
  assert.deepEqual([ids(found.tickets), ids(found.contacts)], [[ticket.id], [ticket.contact_id]])
  assert.partialDeepStrictEqual(found.articles, [{ slug, title: `All about ${word}` }])
  assert.deepEqual(ids((await search(omar, contact.email)).contacts), [ticket.contact_id])
  assert.deepEqual(await search(rita, word), nothing)
})

test('a ticket number finds that ticket first', async () => {
  const ticket = await makeTicket(api)
  await makeTicket(api, { content: `See ${ticket.short_id}` })
  for (const q of [ticket.short_id, `#${ticket.short_id}`]) {
    const found = await search(omar, q)
    assert.deepEqual([found.tickets![0]!.id, found.tickets!.length], [ticket.id, 2])
  }
  assert.deepEqual(ids((await search(rita, ticket.short_id)).tickets), [])
})

test('a search returns at most five results of each kind, and odd characters find nothing', async () => {
  const word = `w${unique()}`
  for (let n = 0; n < 7; n++) await makeTicket(api, { content: word })
  assert.equal((await search(omar, word)).tickets!.length, 5)
  for (const q of [' ', "'; drop", '99999999999999999999', '%'])
    assert.deepEqual(await search(omar, q), nothing, q)
  assertProblems(await omar.api.get('/search'), 'query.q:missing')
})

test('without a knowledge base, everything else is searched', async () => {
  const word = `w${unique()}`
  await makeArticle(db, acme, { title: word })
  const ticket = await makeTicket(api, { subject: word })
  await leaveWithoutKnowledge(db, acme)
  const found = await search(omar, word)
  assert.deepEqual([ids(found.tickets), found.articles], [[ticket.id], []])
})
