import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { assertPage, startVisit, visit, wordsOf } from '../../test/visitor.ts'
import { connectApart } from '../core/db/db.ts'

const { server, visitor } = await startVisit()
after(() => server.close())

/** Blocks every page of a help centre until the work is done. */
async function withStuckArticles(context: TestContext, work: () => Promise<void>): Promise<void> {
  const own = connectApart(server.db, { max: 1, statementTimeout: 0 })
  context.after(() => own.end())
  await own.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table article_translations in access exclusive mode`
    await work()
  })
}

async function countWaiting(): Promise<number> {
  const [row] = await server.db<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row!.count
}

test("blocked help centre pages do not use up the API's connections", async context => {
  let visits: Promise<unknown>[] = []
  await withStuckArticles(context, async () => {
    visits = Array.from({ length: 30 }, () => visitor.get('/help/acme/en'))
    await until(async () => (await countWaiting()) >= 3)
    assert.equal((await server.api.get('/operators')).status, 200)
    assert.ok((await countWaiting()) <= 3)
  })
  await Promise.all(visits)
})

test('a page whose statement times out gets 503 with Retry-After', async context => {
  await withStuckArticles(context, async () => {
    const answer = await visitor.get('/help/acme/en')
    assertPage(answer, 503)
    assert.equal(answer.headers.get('retry-after'), '60')
    assert.match(wordsOf(answer), /Wait a minute, then try again/)
  })
})

test('searches of an address are limited per minute, but reading is not', async context => {
  const busy = await startServer({ delivers: false })
  context.after(() => busy.close())
  const reader = visit(busy)
  const search = async (q: string) => (await reader.get(`/help/acme/en/search?q=${q}`)).status
  const statuses: number[] = []
  for (let count = 0; count < 31; count++) statuses.push(await search('word'))
  assert.deepEqual(statuses, [...Array(30).fill(200), 429])
  assertPage(await reader.get('/help/acme/en/search'), 200)
  assertPage(await reader.get('/help/acme/en'), 200)
})

test('a word at the end of a long article is found, and the excerpt is from its beginning', async () => {
  const word = `w${unique()}`
  const { slug } = await makeArticle(server.db, server.acme, {
    markdown: `Start. ${'filler '.repeat(3_000)} ${word}`,
  })
  const { body } = await server.api.get(`/knowledge-base/articles?q=${word}`)
  assert.equal(body.items[0].slug, slug)
  assert.match(body.items[0].highlight.content, /^Start\. filler/)
})
