import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertBrief, createClient } from '../../../test/client.ts'
import { startServer } from '../../../test/server.ts'
import { fontStyles } from './fonts.ts'

const server = await startServer({ delivers: false })
after(() => server.close())

const browser = createClient(new URL(server.url).origin)
const paths = [...fontStyles.matchAll(/\/fonts\/[^"]+/g)].map(([path]) => path)

for (const path of paths) {
  test(`${path} is a font that browsers may cache for ever`, async () => {
    const { status, headers } = await browser.get(path)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'font/woff2')
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  })
}

test('the names of the fonts contain the version of the package, so that an update replaces cached files', async () => {
  const { default: font } = await import('@fontsource-variable/inter/package.json', {
    with: { type: 'json' },
  })
  assert.ok(paths.length > 0)
  for (const path of paths) assert.ok(path.startsWith(`/fonts/inter-${font.version}-`), path)
})

test('no other file is served below /fonts', async () => {
  for (const name of ['inter.css', '..%2fpackage.json', 'inter-0.0.0-latin.woff2'])
    assertBrief(await browser.get(`/fonts/${name}`), 404, 'Not Found')
})

test('the documentation preloads a font that the stylesheet names', async () => {
  const { text } = await browser.get('/docs')
  const [, path] = /rel="preload" as="font"[^>]* href="([^"]+)"/.exec(text)!
  assert.ok(paths.includes(path!))
})
