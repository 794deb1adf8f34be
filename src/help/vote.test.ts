import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer } from '../../test/server.ts'
import { assertPage, startVisit, visit } from '../../test/visitor.ts'

const { server, visitor } = await startVisit()
after(() => server.close())

const at = (slug: string) => `/help/acme/en/articles/${slug}`

async function countsOf(id: string): Promise<[number, number]> {
  const [row] =
    await server.db`select helpful_count, not_helpful_count from article_counts where article_id = ${id}`
  return [row!.helpful_count, row!.not_helpful_count]
}

test('a vote is counted and redirects to the article, which says thank you', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  const answer = await visitor.send(at(slug), { helpful: 'yes' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${at(slug)}?voted=1#_feedback`])
  assert.deepEqual(await countsOf(id), [1, 0])
  const thanks = await visitor.get(`${at(slug)}?voted=1`)
  assert.match(thanks.text, /role="status"><p>Thanks for your feedback/)
  assert.doesNotMatch(thanks.text, /<form method="post"/)
})

test('a reader counts once, and can change the vote', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  for (const helpful of ['yes', 'yes', 'no', 'no']) await visitor.send(at(slug), { helpful })
  assert.deepEqual(await countsOf(id), [0, 1])
})

test('another browser behind the same address counts separately', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  for (const browser of ['one', 'two'])
    await visitor.send(at(slug), { helpful: 'yes' }, { 'user-agent': browser })
  assert.deepEqual(await countsOf(id), [2, 0])
})

test('the voter is stored as a hash only', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  await visitor.send(at(slug), { helpful: 'yes' })
  const [vote] = await server.db`select voter from article_votes where article_id = ${id}`
  assert.equal(vote!.voter.length, 32)
})

test('no page sets a cookie', async () => {
  const { slug } = await makeArticle(server.db, server.acme)
  const answers = [await visitor.get(at(slug)), await visitor.send(at(slug), { helpful: 'yes' })]
  for (const { headers } of answers) assert.equal(headers.get('set-cookie'), null)
})

test("a form of another site, an invalid answer or another project's article is not counted", async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  const own = await makeArticle(server.db, server.rival)
  assertPage(await visitor.send(at(slug), { helpful: 'yes' }, { 'sec-fetch-site': 'cross-site' }), 404)
  assertPage(await visitor.send(at(slug), { helpful: 'maybe' }), 404)
  assertPage(await visitor.send(at(slug), {}), 404)
  assertPage(await visitor.send(at(own.slug), { helpful: 'yes' }), 404)
  assert.deepEqual(
    [await countsOf(id), await countsOf(own.id)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('a body that is too long or not a form is refused with an error page', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  assertPage(await visitor.send(at(slug), { helpful: 'yes'.repeat(1_000) }), 413)
  assertPage(await visitor.send(at(slug), { helpful: 'yes' }, { 'content-type': 'application/json' }), 415)
  assert.deepEqual(await countsOf(id), [0, 0])
})

test('votes of an address are limited per minute', async t => {
  const busy = await startServer({ delivers: false })
  t.after(() => busy.close())
  const { slug } = await makeArticle(busy.db, busy.acme)
  const statuses = []
  for (let count = 0; count < 21; count++) {
    statuses.push((await visit(busy).send(at(slug), { helpful: 'yes' })).status)
  }
  assert.deepEqual(statuses, [...Array(20).fill(303), 429])
})

test("a person's read counts as a view; bots, prefetches, HEAD and the thank-you page do not", async t => {
  const own = await startServer({ delivers: false })
  t.after(() => own.close())
  const reader = visit(own)
  const { id, slug } = await makeArticle(own.db, own.acme)
  for (let count = 0; count < 3; count++) await reader.get(at(slug))
  await reader.head(at(slug))
  await reader.get(`${at(slug)}?voted=1`)
  await reader.get(at(slug), { headers: { 'sec-purpose': 'prefetch' } })
  for (const machine of ['Googlebot/2.1', 'curl/8.0']) {
    await reader.get(at(slug), { headers: { 'user-agent': machine } })
  }
  await own.app.close()
  const [row] = await own.db`select views_count::int from article_counts where article_id = ${id}`
  assert.equal(row!.views_count, 3)
})
