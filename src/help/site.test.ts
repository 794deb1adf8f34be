import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { sendRaw } from '../../test/client.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer } from '../../test/server.ts'
import { assertPage, startVisit, visit, wordsOf } from '../../test/visitor.ts'
import { setMaintenance } from '../projects/installation.ts'

const { server, visitor } = await startVisit()
after(() => server.close())

const slug = `über-uns-${unique()}`
await makeArticle(server.db, server.acme, { slug, title: 'About us' })
await makeArticle(server.db, server.acme, { slug, title: 'Über uns', locale: 'de' })
await makeArticle(server.db, server.acme, { slug, title: 'معلومات', locale: 'ar' })
await makeArticle(server.db, server.acme, { slug, title: 'Sobre', locale: 'pt-BR' })

/** A time with its zone. */
const time = '20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'

const article = (locale: string) => `/help/acme/${locale}/articles/${encodeURIComponent(slug)}`

test("a help centre without a language redirects to the visitor's language, or the project's", async () => {
  for (const [wish, locale] of [
    ['de-AT,en;q=0.5', 'de'],
    ['pt', 'pt-BR'],
    ['fi', 'en'],
    ['', 'en'],
  ] as const) {
    const answer = await visitor.get('/help/acme', { headers: { 'accept-language': wish } })
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, `/help/acme/${locale}`])
    assert.match(answer.headers.get('vary')!, /accept-language/i)
  }
})

test('a page declares its language and direction, and uses the texts of that language', async () => {
  const { text, headers } = await visitor.get(article('de'))
  assert.match(text, /<html lang="de" dir="ltr">/)
  assert.match(text, /War dieser Artikel hilfreich\?/)
  assert.equal(headers.get('content-language'), 'de')
  assert.match((await visitor.get(article('ar'))).text, /<html lang="ar" dir="rtl">/)
})

test('a page links to its other languages, for people and for search engines', async () => {
  const { text } = await visitor.get(article('en'))
  for (const locale of ['ar', 'de', 'en', 'pt-BR']) {
    assert.match(
      text,
      new RegExp(`<link rel="alternate" hreflang="${locale}" href="http://localhost${article(locale)}">`),
    )
    assert.match(text, new RegExp(`<a href="${article(locale)}" hreflang="${locale}" lang="${locale}"`))
  }
  assert.match(text, new RegExp(`hreflang="x-default" href="http://localhost${article('en')}"`))
  assert.match(text, new RegExp(`<link rel="canonical" href="http://localhost${article('en')}">`))
})

test('an untranslated article is shown in its own language, with a note', async () => {
  const only = await makeArticle(server.db, server.acme, { title: 'Only English' })
  const answer = await visitor.get(`/help/acme/de/articles/${only.slug}`)
  assertPage(answer, 200)
  assert.match(wordsOf(answer), /Diesen Artikel gibt es nur in dieser Sprache: English\./)
  assert.match(answer.text, /<h1 lang="en" dir="ltr">Only English<\/h1>/)
  assert.match(answer.text, /<article class="prose" lang="en" dir="ltr">/)
  assert.match(answer.text, /<meta name="robots" content="noindex">/)
})

test('a region without articles redirects to its language', async () => {
  for (const [from, to] of [
    ['en-GB', 'en'],
    ['en_US', 'en'],
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
  ] as const) {
    const answer = await visitor.get(`${article(from)}?voted=1`)
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, `${article(to)}?voted=1`])
  }
  assertPage(await visitor.get('/help/acme/fi'), 404)
})

test('an alternative spelling of an address redirects to the canonical one', async () => {
  const id = (await server.db`select id from articles where slug = ${slug}`)[0]!.id
  for (const [from, to] of [
    ['/help/acme/pt-br/search?q=a', '/help/acme/pt-BR/search?q=a'],
    ['/help/acme/en/', '/help/acme/en'],
    ['/help/acme/', '/help/acme'],
    ['/help/acme///?x=//a', '/help/acme?x=//a'],
    ['/help/acme/en/articles/?page=1', '/help/acme/en/articles?page=1'],
    [`/help/acme/en/articles/${id}`, article('en')],
  ] as const) {
    const answer = await visitor.get(from)
    assert.deepEqual([answer.status, answer.headers.get('location')], [301, to])
  }
})

test('an unknown page of a help centre is a 404 in its language, with a search and a link to the home page', async () => {
  for (const path of [
    '/de/articles/nothing',
    '/de/categories/nothing',
    '/de/nothing/at/all',
    '/de/articles/%00',
  ]) {
    const answer = await visitor.get(`/help/acme${path}`)
    assertPage(answer, 404)
    assert.match(answer.text, /<html lang="de"/)
    assert.match(answer.text, /role="search" action="\/help\/acme\/de\/search"/)
    assert.match(answer.text, /<a href="\/help\/acme\/de">Startseite<\/a>/)
  }
  const answer = await visitor.get('/help/acme/xx', { headers: { 'accept-language': 'de' } })
  assertPage(answer, 404)
  assert.match(answer.text, /<html lang="de"/)
})

test("an unknown help centre is a 404 in the browser's language", async () => {
  for (const path of [
    '/help/nobody',
    '/help',
    '/help/',
    '/help//en',
    '/help/%00/en',
    '/help/nobody/en/x/y',
  ]) {
    const answer = await visitor.get(path, { headers: { 'accept-language': 'fr' } })
    assertPage(answer, 404)
    assert.match(answer.text, /Cette page n’existe pas/)
  }
})

test('the content security policy forbids scripts, and allows only our own styles', async () => {
  const { headers, text } = await visitor.get(article('en'))
  const policy = headers.get('content-security-policy')!
  assert.match(
    policy,
    /^default-src 'none'; style-src 'self' 'sha256-[\w+/=]{44}'; img-src https: http: data:;/,
  )
  assert.match(policy, /form-action 'self'; base-uri 'none'; frame-ancestors 'self'$/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin')
  assert.doesNotMatch(text, /<script(?! type="application\/ld\+json")|\son\w+=|\sstyle=/)
})

test('an unchanged page answers 304, and a changed one is sent again', async () => {
  const first = await visitor.get(article('en'))
  const tag = first.headers.get('etag')!
  assert.equal(first.headers.get('cache-control'), 'public, no-cache')
  const ask = (known: string) => visitor.get(article('en'), { headers: { 'if-none-match': known } })
  for (const known of [tag, tag.replace('W/', ''), `"x", ${tag}`]) {
    const again = await ask(known)
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag])
  }
  await makeArticle(server.db, server.acme, { slug, title: 'About us', markdown: 'Changed' })
  for (const known of [tag, '', '""']) assert.equal((await ask(known)).status, 200)
})

test('the stylesheet is immutable and has its hash in its address', async () => {
  const { text } = await visitor.get('/help/acme/en')
  const path = /<link rel="stylesheet" href="([^"]+)">/.exec(text)![1]!
  const style = await visitor.get(path)
  assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(path, /^\/help\/assets\/help-[0-9a-f]{12}\.css$/)
})

test('pages are compressed if the browser accepts it', async () => {
  const ask = (encoding: string) => visitor.get(article('en'), { headers: { 'accept-encoding': encoding } })
  const [packed, plain] = [await ask('br, gzip'), await ask('gzip;q=0')]
  assert.deepEqual(
    [packed.headers.get('content-encoding'), plain.headers.get('content-encoding')],
    ['gzip', null],
  )
  assert.equal(packed.text, plain.text)
  assert.match(packed.headers.get('vary')!, /accept-encoding/)
})

test('robots.txt excludes the API and searches', async () => {
  const { status, text, headers } = await visitor.get('/robots.txt')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(text, /^User-agent: \*\nDisallow: \/api\/\nDisallow: \/help\/\*\/search\n$/)
})

test('HEAD answers like GET, without the body', async () => {
  const [get, head] = [await visitor.get('/help/acme/en'), await visitor.head('/help/acme/en')]
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('etag'), get.headers.get('etag'))
})

test("the project's colour and logo appear on its pages", async () => {
  await server.db`update projects set color = '#aa0000', logo_url = 'https://example.com/l.png' where id = ${server.acme.id}`
  const { text } = await visitor.get('/help/acme/en')
  assert.match(text, /--band:#aa0000/)
  assert.match(text, /<img src="https:\/\/example\.com\/l\.png" alt=""/)
})

test('the sitemap lists the pages of every language', async () => {
  const map = await visitor.get('/help/acme/sitemap.xml')
  assert.equal(map.headers.get('content-type'), 'application/xml; charset=utf-8')
  const maps = [...map.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address)
  assert.deepEqual(
    maps,
    ['ar', 'de', 'en', 'pt-BR'].map(locale => `http://localhost/help/acme/${locale}/sitemap.xml`),
  )
  const { text } = await visitor.get('/help/acme/de/sitemap.xml')
  assert.match(text, new RegExp(`<loc>http://localhost${article('de')}</loc><lastmod>${time}</lastmod>`))
})

test('an article has structured data for search engines and for link previews', async () => {
  const { text } = await visitor.get(article('de'))
  const facts = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, one]) =>
    JSON.parse(one!),
  )
  assert.deepEqual(
    facts.map(fact => fact['@type']),
    ['Article', 'BreadcrumbList'],
  )
  assert.deepEqual([facts[0].headline, facts[0].inLanguage], ['Über uns', 'de'])
  assert.match(facts[0].datePublished, new RegExp(`^${time}$`))
  assert.match(facts[0].dateModified, new RegExp(`^${time}$`))
  assert.match(text, /<meta property="og:title" content="Über uns">/)
})

test('during maintenance every page is a 503 with Retry-After', async () => {
  await setMaintenance(server.db, true)
  try {
    for (const path of ['/help/acme/en', article('en'), '/help/nobody', '/help/acme/sitemap.xml']) {
      const answer = await visitor.get(path, { headers: { 'accept-language': 'de' } })
      assertPage(answer, 503)
      assert.equal(answer.headers.get('retry-after'), '60')
      assert.match(answer.text, /Wir sind bald wieder da/)
    }
  } finally {
    await setMaintenance(server.db, false)
  }
})

test('an address that reads too fast gets 429, and its budget for the API is not used', async t => {
  const busy = await startServer({ delivers: false, config: { rateLimitPerIp: 2 } })
  t.after(() => busy.close())
  const reader = visit(busy)
  for (const status of [200, 200, 429]) assertPage(await reader.get('/help/acme/en'), status)
  const answer = await reader.get('/help/acme/en')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.match(answer.text, /Too many requests/)
  assert.equal((await busy.stranger.get('/tickets')).status, 401)
})

test('a request line with another host is redirected only to a path on this server', async () => {
  const ask = (target: string) =>
    sendRaw(server.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  for (const [target, to] of [
    ['http://evil.example/help/acme/en/', '/help/acme/en'],
    ['HTTPS://me@evil.example:1/help/acme/en/?x=http://y/', '/help/acme/en?x=http://y/'],
    ['http://evil.example/help/acme/pt-br', '/help/acme/pt-BR'],
  ] as const) {
    const { status, headers } = await ask(target)
    assert.deepEqual([status, headers.get('location')], [301, to])
  }
  for (const target of ['http://evil.example/nothing', '//evil.example/help/acme/'])
    assert.equal((await ask(target)).status, 404, target)
})
