import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertBrief, createClient } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { guides } from './guides.ts'

const server = await startServer({ delivers: false })
after(() => server.close())

const browser = createClient(new URL(server.url).origin)
const names = ['guides', ...Object.keys(guides)]
const pages = new Map<string, string>()
for (const name of names) pages.set(name, (await browser.get(`/docs/${name}`)).text)

for (const name of names) {
  test(`/docs/${name} is public and works without scripts`, async () => {
    const { status, headers, text } = await browser.get(`/docs/${name}`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
    assert.match(text, /<h1[^>]*>[^<]+<\/h1>/)
    assert.doesNotMatch(text, /<script|style=|This file is generated/)
  })

  test(`every link of /docs/${name} leads to an existing heading or page, or to another site`, async () => {
    const hrefs = [...pages.get(name)!.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => href!)
    for (const href of hrefs) {
      const { origin, pathname, hash } = new URL(href, `http://desk.example/docs/${name}`)
      if (origin !== 'http://desk.example') continue
      const text = pages.get(pathname.replace('/docs/', ''))
      if (!hash || pathname === '/docs') assert.equal((await browser.get(pathname)).status, 200, href)
      else assert.ok(text?.includes(`id="${hash.slice(1)}"`), `${href} of ${name}`)
    }
  })
}

test('the API reference and the guides link to each other', async () => {
  const { text } = await browser.get('/docs')
  for (const name of Object.keys(guides)) {
    assert.match(text, new RegExp(`href="docs/${name}"`))
    assert.match(pages.get(name)!, /href="\.\.\/docs"/)
  }
})

test('the OpenAPI document links only to existing guides', async () => {
  const { text } = await server.stranger.get('/openapi.json')
  const linked = [...text.matchAll(/"url":"[^"]+?\/docs\/([\w-]+)"/g)].map(([, name]) => name!)
  assert.deepEqual([...new Set(linked)].sort(), [
    'events',
    'guides',
    'import',
    'knowledge-base',
    'personal-data',
  ])
  for (const name of linked) assert.ok(pages.get(name))
})

test('no other file of docs is served', async () => {
  for (const name of ['openapi', 'openapi.json', 'decisions', '..%2fREADME', 'constructor', 'README'])
    assertBrief(await browser.get(`/docs/${name}`), 404, 'Not Found')
})
