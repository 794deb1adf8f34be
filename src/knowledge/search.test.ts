import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

interface Hit {
  slug: string
  score: number
  highlight: { title: string; content: string }
}

const search = async (q: string, more = ''): Promise<Hit[]> => {
  const { status, body, text } = await server.api.get(
    `/knowledge-base/articles?q=${encodeURIComponent(q)}${more}`,
  )
  assert.equal(status, 200, text)
  return body.items
}
const slugs = (hits: Hit[]) => hits.map(hit => hit.slug)
const write = (slug: string, title: string, markdown: string, more = {}) =>
  makeArticle(server.db, server.acme, { slug, title, markdown, ...more })

test('a word in the title scores higher than one in the content', async () => {
  await write('refund-body', 'Paying', 'How to ask for a refund of what you paid.')
  await write('refund-title', 'Refund', 'How to ask for your money.')
  const hits = await search('refund')
  assert.deepEqual(slugs(hits), ['refund-title', 'refund-body'])
  assert.ok(hits[0]!.score > hits[1]!.score)
})

test('words are found in their inflected forms, by the rules of the language', async () => {
  await write('invoices', 'Invoices', 'Downloading old invoices.')
  await write('rechnungen', 'Rechnungen', 'Alte Rechnungen herunterladen.', { locale: 'de' })
  assert.deepEqual(slugs(await search('download an invoice')), ['invoices'])
  assert.deepEqual(slugs(await search('alte Rechnung', '&locale=de')), ['rechnungen'])
})

test('if no article has all words, articles with any of them are found', async () => {
  await write('zebra', 'Zebra', 'Stripes.')
  assert.deepEqual(slugs(await search('zebra crossing walrus')), ['zebra'])
})

test('a word with a minus excludes articles that contain it', async () => {
  await write('apple-tart', 'Apple tart', 'Sweet.')
  await write('apple-pie', 'Apple pie', 'Sweet.')
  assert.deepEqual(slugs(await search('apple -tart')), ['apple-pie'])
})

test('Chinese and Japanese words are found inside a sentence', async () => {
  await write('mima', '重置您的密码', '在设置中选择新密码。', { locale: 'zh' })
  const [hit] = await search('密码', '&locale=zh')
  assert.equal(hit!.slug, 'mima')
  assert.match(hit!.highlight.title, /^重置您的<mark>密码<\/mark>$/)
})

test("a highlight escapes the article's own HTML", async () => {
  await write('markup', 'Markup & <b>giraffe</b>', 'Write `<img src=x onerror=alert(1)>` for a giraffe.')
  const [hit] = await search('giraffe')
  assert.equal(hit!.highlight.title, 'Markup &amp; &lt;b&gt;<mark>giraffe</mark>&lt;/b&gt;')
  assert.match(hit!.highlight.content, /&lt;img src=x onerror=alert\(1\)&gt; for a <mark>giraffe<\/mark>/)
})

test('a search of stop words only finds nothing', async () => {
  assert.deepEqual(await search('the and of'), [])
  assert.deepEqual(await search('" -'), [])
})

test('a search continues by cursor, with each article once', async () => {
  const word = unique()
  for (let n = 0; n < 5; n++) await write(`${word}-${n}`, `Page ${n}`, `${word} `.repeat(n + 1))
  const found: string[] = []
  let cursor = ''
  do {
    const { body } = await server.api.get(`/knowledge-base/articles?q=${word}&page_size=2${cursor}`)
    found.push(...slugs(body.items))
    cursor = body.next_cursor && `&cursor=${encodeURIComponent(body.next_cursor)}`
  } while (cursor)
  assert.equal(found.length, 5)
  assert.equal(new Set(found).size, 5)
})

test('only the requested language is searched', async () => {
  const word = unique()
  await write(`en-${word}`, word, 'English')
  await write(`fr-${word}`, word, 'Français', { locale: 'fr' })
  assert.deepEqual(slugs(await search(word)), [`en-${word}`])
  assert.deepEqual(slugs(await search(word, '&locale=fr')), [`fr-${word}`])
})

test('searches with special characters are answered', async () => {
  for (const q of ["'", '\\', ':*', '!!', '<->', '(', '\u{1F600}', 'a'.repeat(500), "a' | b", '%', '"'])
    await search(q)
})
