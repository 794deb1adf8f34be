import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOperator, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { leaveWithoutKnowledge, makeArticle } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import {
  addArticleViews,
  archiveArticle,
  ensureCategory,
  putArticle,
  putCategory,
  recordVote,
} from './knowledge.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const base = '/knowledge-base/articles'
const slugs = (body: { items: { slug: string }[] }) => body.items.map(item => item.slug)

async function list(query: string): Promise<string[]> {
  const { status, body, text } = await server.api.get(`${base}?${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.items.length)
  return slugs(body)
}

test('spec 4.2 knowledge base: an article has all documented fields', async () => {
  const { db, acme, api } = server
  const category = await ensureCategory(db, acme.id, ['Account', 'Passwords'], 'en')
  const operator = await makeOperator(db, acme, 'Olga')
  const made = await makeArticle(db, acme, {
    slug: 'whole',
    category_id: category,
    tags: ['a'],
    author_id: operator.id,
  })
  const { status, body } = await api.get(`${base}/whole`)
  assert.equal(status, 200)
  const { published_at, created_at, updated_at, ...rest } = body
  for (const at of [published_at, created_at, updated_at])
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
  assert.deepEqual(rest, {
    id: made.id,
    slug: 'whole',
    title: made.title,
    excerpt: 'Open the settings and choose a new password.',
    content_markdown: made.markdown,
    content_html: '<p>Open the <em>settings</em> and choose a new password.</p>',
    content_text: 'Open the settings and choose a new password.',
    category_id: category,
    category: { id: category, slug: 'passwords', title: 'Passwords' },
    tags: ['a'],
    locale: 'en',
    available_locales: ['en'],
    url: 'http://localhost/help/acme/en/articles/whole',
    author: { id: operator.id, name: 'Olga' },
    position: 0,
    views_count: 0,
    helpful_count: 0,
    not_helpful_count: 0,
    _links: {
      self: `/api/v1/knowledge-base/articles/${made.id}?locale=en`,
      category: `/api/v1/knowledge-base/categories/${category}`,
    },
  })
})

test('a list shows articles without their content', async () => {
  await makeArticle(server.db, server.acme, { tags: ['listed'] })
  const { body } = await server.api.get(`${base}?tag=listed`)
  const names = Object.keys(body.items[0])
  assert.ok(names.includes('excerpt'))
  assert.deepEqual(
    names.filter(name => /^content|^score|^highlight/.test(name)),
    [],
  )
})

test('an article can be read by its id or its slug', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  assert.equal((await server.api.get(`${base}/${id}`)).body.slug, slug)
  assert.equal((await server.api.get(`${base}/${slug}`)).body.id, id)
})

test('spec 4.2 knowledge base 404: draft, archived, internal and missing articles get a 404 and are not listed', async () => {
  const { db, acme, api } = server
  const tags = [unique()]
  const draft = await makeArticle(db, acme, { status: 'draft', tags })
  const internal = await makeArticle(db, acme, { is_internal: true, tags })
  const archived = await makeArticle(db, acme, { tags })
  await archiveArticle(db, archived.id)
  for (const reference of [draft.id, internal.slug, archived.id, nobody, 'no-such', 'a%00b', '..%2f'])
    assertEnvelope(await api.get(`${base}/${reference}`), 404, 'ARTICLE_NOT_FOUND', null)
  assert.deepEqual(await list(`tag=${tags[0]}`), [])
})

test('spec 4.2 knowledge base 403, spec 7.1 403 PLAN_FEATURE_UNAVAILABLE: a plan without the knowledge base gets 403 before any lookup', async () => {
  const { db, rival, outsider } = server
  await leaveWithoutKnowledge(db, rival)
  for (const path of ['categories', 'categories/none', 'articles', 'articles/none'])
    assertEnvelope(await outsider.get(`/knowledge-base/${path}`), 403, 'PLAN_FEATURE_UNAVAILABLE', {
      feature: 'knowledge_base',
    })
  await db`update projects set plan = 'unlimited' where id = ${rival.id}`
  assert.equal((await outsider.get(base)).status, 200)
})

test('an article is returned in the requested language, else in a related one, with its locale', async () => {
  const { db, acme, api } = server
  const { slug } = await makeArticle(db, acme)
  await makeArticle(db, acme, { slug, locale: 'de', title: 'Kennwort' })
  const localeOf = async (locale: string) => (await api.get(`${base}/${slug}?locale=${locale}`)).body.locale
  for (const [asked, shown] of [
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['fr', 'en'],
    ['!!', 'en'],
  ])
    assert.equal(await localeOf(asked!), shown)
  assert.deepEqual((await api.get(`${base}/${slug}`)).body.available_locales, ['de', 'en'])
})

test('a list contains each article once, and with a locale only the articles in that language', async () => {
  const { db, acme } = server
  const tags = [unique()]
  const both = await makeArticle(db, acme, { tags })
  await makeArticle(db, acme, { slug: both.slug, locale: 'de' })
  const german = (await server.api.get(`${base}/${both.slug}?locale=de`)).body
  const french = await makeArticle(db, acme, { tags, locale: 'fr' })
  assert.deepEqual(await list(`tag=${tags[0]}`), [french.slug, both.slug])
  assert.deepEqual(await list(`tag=${tags[0]}&locale=de`), [both.slug])
  assert.deepEqual(await list(`tag=${tags[0]}&locale=it`), [])
  const since = `tag=${tags[0]}&updated_after=${german.updated_at}`
  assert.deepEqual(
    await list(since),
    [french.slug],
    'the article in two languages is shown in English, and that translation is older',
  )
  assert.deepEqual(await list(`${since}&locale=de`), [both.slug])
})

test('lists are filtered by category, tag and time, and sorted', async () => {
  const { db, acme } = server
  const tags = [unique()]
  const category_id = await ensureCategory(db, acme.id, [unique()], 'en')
  const first = await makeArticle(db, acme, { tags, category_id, position: 2 })
  const second = await makeArticle(db, acme, { tags, position: 1 })
  const at = (await server.api.get(`${base}/${second.id}`)).body.updated_at
  assert.deepEqual(await list(`category_id=${category_id}`), [first.slug])
  assert.deepEqual(await list('category_id=nothing'), [])
  assert.deepEqual(await list(`tag=${tags[0]},other`), [second.slug, first.slug])
  assert.deepEqual(await list(`tag=${tags[0]}&sort=position`), [second.slug, first.slug])
  assert.deepEqual(await list(`tag=${tags[0]}&sort=published_at`), [first.slug, second.slug])
  assert.deepEqual(await list(`tag=${tags[0]}&updated_after=${at}`), [second.slug])
  assertProblems(await server.api.get(`${base}?page_size=101`), 'query.page_size:less_than_equal')
  assertProblems(await server.api.get(`${base}?sort=title`), 'query.sort:enum')
})

test('a list continues by cursor, sorted by number or by time', async () => {
  const { db, acme, api } = server
  const tag = unique()
  for (const position of [3, 1, 2, 1, -4]) await makeArticle(db, acme, { tags: [tag], position })
  for (const sort of ['position', '-position', 'published_at', '-views_count']) {
    const whole = await list(`tag=${tag}&sort=${sort}`)
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await api.get(
        `${base}?tag=${tag}&sort=${sort}&page_size=2${cursor && `&cursor=${cursor}`}`,
      )
      found.push(...slugs(body))
      cursor = body.next_cursor
    }
    assert.deepEqual([found, found.length], [whole, 5], sort)
  }
  assertProblems(await api.get(`${base}?cursor=bm9uZQ`), 'query.cursor')
  for (const value of ['1e-999', '1e-100', '1e9', 'NaN', '']) {
    const made = Buffer.from(`+position|${value}|${nobody}`).toString('base64url')
    assertProblems(await api.get(`${base}?sort=position&cursor=${made}`), 'query.cursor')
  }
})

test('categories form a tree sorted by position, and count their published articles', async () => {
  const { db, acme, rival, outsider, api } = server
  const [top, below] = [unique(), unique()]
  const parent = await putCategory(db, acme.id, { path: [top], locale: 'en', title: 'Top', position: -2 })
  const child = await putCategory(db, acme.id, { path: [top, below], locale: 'en', position: -1, icon: '🔑' })
  await makeArticle(db, acme, { category_id: child })
  await makeArticle(db, acme, { category_id: child, status: 'draft' })
  const { body } = await api.get('/knowledge-base/categories?page_size=2')
  const { updated_at, ...second } = body.items[1]
  assert.equal(body.items[0].id, parent)
  assert.deepEqual(second, {
    id: child,
    parent_id: parent,
    slug: below,
    title: below,
    description: null,
    icon: '🔑',
    position: -1,
    articles_count: 1,
    locale: 'en',
    _links: {
      self: `/api/v1/knowledge-base/categories/${child}`,
      articles: `/api/v1/knowledge-base/articles?category_id=${child}`,
    },
  })
  assert.deepEqual((await api.get(`/knowledge-base/categories/${below}`)).body, body.items[1])
  assert.deepEqual((await outsider.get('/knowledge-base/categories')).body.items, [])
  assertEnvelope(await outsider.get(`/knowledge-base/categories/${below}`), 404, 'CATEGORY_NOT_FOUND', null)
  assert.notEqual(await ensureCategory(db, rival.id, [top], 'en'), parent)
})

test('a published article keeps its text while its draft changes', async () => {
  const { db, acme, api } = server
  const { id, slug } = await makeArticle(db, acme, { title: 'Old' })
  const before = (await api.get(`${base}/${id}`)).body
  const input = { slug, locale: 'en', title: 'New', markdown: 'New text' }
  await putArticle(db, acme.id, { ...input, status: 'draft' })
  assert.deepEqual((await api.get(`${base}/${id}`)).body, before)
  assert.deepEqual(await list(`q=Old&tag=none`), [])
  await putArticle(db, acme.id, { ...input, status: 'published' })
  const after = (await api.get(`${base}/${id}`)).body
  assert.deepEqual([after.title, after.published_at], ['New', before.published_at])
  assert.ok(after.updated_at > before.updated_at)
})

test('each voter counts once, however often they vote or change their vote', async () => {
  const { db, acme, rival, api } = server
  const { id } = await makeArticle(db, acme)
  const vote = (voter: string, isHelpful: boolean, project = acme.id) =>
    recordVote(db, project, id, { voter: Buffer.from(voter), isHelpful })
  await Promise.all(Array.from({ length: 10 }, () => vote('ann', true)))
  await vote('bob', true)
  await vote('bob', false)
  await vote('eve', true, rival.id)
  await addArticleViews(db, acme.id, id, 7)
  await addArticleViews(db, rival.id, id, 7)
  const { helpful_count, not_helpful_count, views_count } = (await api.get(`${base}/${id}`)).body
  assert.deepEqual([helpful_count, not_helpful_count, views_count], [1, 1, 7])
})

test('an article has no URL if the project has no help centre', async () => {
  const { db, acme, api } = server
  const { slug } = await makeArticle(db, acme)
  await db`update projects set has_help_centre = false where id = ${acme.id}`
  assert.equal((await api.get(`${base}/${slug}`)).body.url, null)
  await db`update projects set has_help_centre = true where id = ${acme.id}`
})
