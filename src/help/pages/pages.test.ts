import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unique } from '../../../test/cast.ts'
import { makeArticle } from '../../../test/knowledge.ts'
import { assertPage, startVisit, wordsOf } from '../../../test/visitor.ts'
import { putCategory } from '../../knowledge/knowledge.ts'

const { server, visitor } = await startVisit()
after(() => server.close())

const makeCategory = (path: string[], fields: object = {}) =>
  putCategory(server.db, server.acme.id, { path, locale: 'en', ...fields })

const make = (fields: object = {}) => makeArticle(server.db, server.acme, fields)

const pageOf = async (path: string) => {
  const answer = await visitor.get(`/help/acme${path}`)
  assertPage(answer, 200)
  return answer
}

test('the home page shows topics with their article counts, popular and recent articles, and a search', async () => {
  const name = unique()
  const category_id = await makeCategory([name], { description: 'About it', icon: '🔑' })
  await make({ category_id: await makeCategory([name, `Below ${name}`]) })
  const { title } = await make({ category_id, title: `Title ${name}` })
  const home = await pageOf('/en')
  assert.match(wordsOf(home), new RegExp(`🔑 ${name} About it 2 articles`))
  assert.equal(wordsOf(home).split(title).length, 3, 'in the popular and in the recent articles')
  assert.match(home.text, /<form class="search" role="search" action="\/help\/acme\/en\/search">/)
})

test('a topic shows its breadcrumbs, its subtopics and its articles in order', async () => {
  const name = unique()
  const category_id = await makeCategory([name])
  await make({ category_id: await makeCategory([name, `Below ${name}`]) })
  await make({ category_id, title: `Second ${name}`, position: 2 })
  await make({ category_id, title: `First ${name}`, position: 1, excerpt: 'Some words' })
  const words = wordsOf(await pageOf(`/en/categories/${name}`))
  assert.match(
    words,
    new RegExp(`Home ${name} Below ${name} 1 article First ${name} Some words Second ${name}`),
  )
})

test('a topic without articles is not listed, and its page says that it is empty', async () => {
  const name = unique()
  await makeCategory([name])
  assert.doesNotMatch((await pageOf('/en')).text, new RegExp(name))
  assert.match(wordsOf(await pageOf(`/en/categories/${name}`)), /No articles on this topic yet/)
})

test('a topic beyond the limit of the tree still has a page, and its id redirects to it', async () => {
  const { db, rival } = server
  await db`insert into categories (project_id, id, name, slug, created_at, updated_at)
    select ${rival.id}, gen_random_uuid(), 'c' || n, 'c' || n, now(), now() from generate_series(1, 1000) n`
  const name = unique()
  const category_id = await putCategory(db, rival.id, { path: ['Above', name], locale: 'en', position: 9 })
  await makeArticle(db, rival, { category_id, title: `In ${name}` })
  const answer = await visitor.get(`/help/rival/en/categories/${name}`)
  assertPage(answer, 200)
  assert.match(wordsOf(answer), new RegExp(`Home Above ${name} In ${name}`))
  assert.doesNotMatch(answer.text, /noindex/)
  const { status, headers } = await visitor.get(`/help/rival/en/categories/${category_id}`)
  assert.deepEqual([status, headers.get('location')], [301, `/help/rival/en/categories/${name}`])
  assertPage(await visitor.get(`/help/acme/en/categories/${category_id}`), 404)
})

test('a long topic is divided into pages, and a page beyond the last is a 404', async () => {
  const name = unique()
  const category_id = await makeCategory([name])
  for (let position = 0; position < 51; position++)
    await make({ category_id, position, title: `No ${position}` })
  const path = `/en/categories/${name}`
  const first = await pageOf(path)
  assert.match(first.text, new RegExp(`<a rel="next" href="/help/acme/en/categories/${name}\\?page=2">`))
  const second = await pageOf(`${path}?page=2`)
  assert.match(wordsOf(second), /No 50 .* Previous page Page 2 of 2/)
  for (const page of ['3', '0', '-1', 'x', '1e3', '9999999999']) {
    assertPage(await visitor.get(`/help/acme${path}?page=${page}`), 404)
  }
})

test('an article shows breadcrumbs, title, date, table of contents, text, neighbours and related articles', async () => {
  const name = unique()
  const category_id = await makeCategory([name])
  const before = await make({ category_id, position: 1, title: `Before ${name}` })
  const { slug } = await make({
    ...{ category_id, position: 2, title: 'Choose a password' },
    markdown: '# Choose a password\n\nHello *you*.\n\n## First steps\n\nOne\n\n### Deeper\n\n## Then\n\nTwo',
  })
  const next = await make({ category_id, position: 3, title: `After ${name}` })
  const { text } = await pageOf(`/en/articles/${slug}`)
  assert.match(text, new RegExp(`<a href="/help/acme/en/categories/${name}">${name}</a></li></ol></nav>`))
  assert.equal(text.match(/<h1/g)?.length, 1)
  assert.match(text, /<h1>Choose a password<\/h1>\s*<p class="muted">Updated on <time datetime="20[^"]+Z">/)
  assert.match(text, /<a href="#first-steps">First steps<\/a>.*<li class="deep"><a href="#deeper">/s)
  assert.match(text, /<p>Hello <em>you<\/em>\.<\/p>\s*<h2 id="first-steps">/)
  assert.match(text, new RegExp(`<a rel="prev" href="/help/acme/en/articles/${before.slug}">`))
  assert.match(text, new RegExp(`<a rel="next" href="/help/acme/en/articles/${next.slug}">`))
  assert.match(text, new RegExp(`Related articles</h2>.*${before.slug}.*</section>`, 's'))
})

test('an article without a topic has no neighbours and is listed among all articles', async () => {
  const { slug } = await make()
  const { text } = await pageOf(`/en/articles/${slug}`)
  assert.doesNotMatch(text, /class="turn"|_related/)
  assert.match((await pageOf('/en/articles')).text, new RegExp(`/help/acme/en/articles/${slug}"`))
})

test('search marks the found words and says how many articles it found', async () => {
  const word = `w${unique()}`
  const { slug } = await make({ markdown: `Before ${word} & <b>after</b>`, title: 'A <title>' })
  const { text } = await pageOf(`/en/search?q=${word}`)
  assert.match(text, /1 article found/)
  assert.match(text, new RegExp(`href="/help/acme/en/articles/${slug}"`))
  assert.match(text, new RegExp(`A &lt;title&gt;</span>.*<mark>${word}</mark> &amp; after`))
  assert.match(text, new RegExp(`<input type="search" name="q" value="${word}"`))
  assert.match(text, /<meta name="robots" content="noindex">/)
})

test('an empty search, or one without results, offers the topics', async () => {
  const category_id = await makeCategory([unique()])
  await make({ category_id })
  assert.match(wordsOf(await pageOf(`/en/search?q=${unique()}`)), /No results found\. .* Browse by topic/)
  for (const query of ['', '?q=', '?q=%20%00']) {
    assert.match(wordsOf(await pageOf(`/en/search${query}`)), /Search results Browse by topic/)
  }
})

test('special characters can be searched', async () => {
  const odd = [
    '"',
    "'",
    '((',
    '-',
    '!',
    'a:*',
    '<script>',
    '%00x',
    '&q=two',
    "\\'",
    '%F0%9F%98%80',
    'x'.repeat(3000),
  ]
  for (const q of odd) {
    const { text } = await pageOf(`/en/search?q=${q}`)
    assert.doesNotMatch(text, /<script>/)
  }
})

test('HTML in the names of projects, topics and articles is escaped', async () => {
  const evil = `<script>alert(1)</script>"'${unique()}`
  const category_id = await makeCategory([evil], { description: evil, icon: evil })
  const { slug } = await make({
    ...{ category_id, title: evil, excerpt: evil },
    markdown: `${evil}\n\n## ${evil}\n\n## b`,
  })
  await server.db`update projects set name = ${evil} where id = ${server.acme.id}`
  for (const path of ['/en', `/en/articles/${slug}`, '/en/search?q=alert', '/en/articles', '/en/nothing']) {
    const { text } = await visitor.get(`/help/acme${path}`)
    assert.doesNotMatch(text, /<script>/, path)
    assert.doesNotMatch(text, /="[^"<>]*<script/, path)
  }
  await server.db`update projects set name = 'Acme' where id = ${server.acme.id}`
})
