import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBrief, sendRaw } from '../test/client.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { type Visitor, visit } from '../test/visitor.ts'

let server: TestServer
let visitor: Visitor
before(async () => {
  server = await startServer({ delivers: false })
  visitor = visit(server)
})
after(() => server.close())

const pages = [
  '/',
  '/sign-in',
  '/link/abc',
  '/account',
  '/account/security',
  '/p/any',
  '/p/any/inbox/mine/42',
]

test('every URL of the dashboard returns the same page, which is not cached', async () => {
  const pattern = /nonce="[^"]*"/g
  const first = await visitor.get('/')
  for (const path of pages) {
    const { status, headers, text } = await visitor.get(path)
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.ok(headers.get('x-request-id'))
    assert.equal(text.replaceAll(pattern, ''), first.text.replaceAll(pattern, ''))
    assert.equal((await visitor.head(path)).status, 200)
  }
})

test('other URLs answer 404', async () => {
  for (const path of ['/nothing', '/sign-in/x', '/link', '/p', '/index.html', '/inbox', '/assets']) {
    assertBrief(await visitor.get(path), 404, 'Not Found')
  }
})

test('the policy of the page allows no other origins, and styles only with a nonce that is used once', async () => {
  const policies = await Promise.all(
    [1, 2].map(async () => {
      const { headers, text } = await visitor.get('/')
      const policy = headers.get('content-security-policy')!
      const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
      assert.ok(text.includes(`nonce="${nonce}"`))
      assert.doesNotMatch(text, /__NONCE__|<script>|<style>|https?:/)
      for (const rule of [
        "default-src 'self'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        assert.ok(policy.split('; ').includes(rule), rule)
      return nonce
    }),
  )
  assert.notEqual(policies[0], policies[1])
})

/** The URLs of scripts, styles and the icon in the page. Fonts are compressed already. */
async function listAssets(): Promise<string[]> {
  const { text } = await visitor.get('/')
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, path]) => path!)
    .filter(path => !path.startsWith('/fonts/'))
}

const ask = (path: string, ...headers: string[]) =>
  sendRaw(
    server.url,
    `GET ${path} HTTP/1.1\r\n${['Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`,
  )

test('its files are cached permanently, sent compressed, and not sent again', async () => {
  const paths = await listAssets()
  assert.ok(paths.some(path => path.endsWith('.js')) && paths.some(path => path.endsWith('.css')))
  for (const path of paths) {
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers } = await ask(path, `Accept-Encoding: ${accepted}`)
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-encoding'), encoding, path)
      assert.equal(headers.get('vary'), 'accept-encoding')
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      const again = [`Accept-Encoding: ${accepted}`, `If-None-Match: ${headers.get('etag')}`]
      assert.equal((await ask(path, ...again)).status, 304)
    }
  }
})

test('the page preloads the first API calls of its URL if there is a session', async () => {
  const cookie = 'deskbell.session_token=x'
  const list = async (path: string, headers = { cookie }) => {
    const { text } = await visitor.get(path, { headers })
    return [...text.matchAll(/as="fetch" crossorigin href="\/api\/dashboard([^"]+)"/g)].map(([, one]) => one)
  }
  assert.deepEqual(await list('/p/any/inbox/mine/42', { cookie: 'other=1' }), [])
  for (const path of ['/sign-in', '/link/any']) assert.deepEqual(await list(path), [])
  assert.deepEqual(await list('/account'), ['/me'])
  assert.deepEqual(await list('/p/any/inbox/mine/42'), [
    '/me',
    '/projects/any/views',
    '/projects/any/tickets?view=mine&amp;count=false&amp;page_size=40',
    '/projects/any/tickets/42',
    '/projects/any/tickets/42/messages?order=desc&amp;page_size=40&amp;count=false',
  ])
  assert.deepEqual(await list('/p/any/inbox/mine?q=words'), ['/me'])
})

test('serves no other file', async () => {
  const names = [
    'index.html',
    '..%2findex.html',
    '%2e%2e%2fstamp',
    'x.js',
    'constructor',
    '.js',
    'a.js.br',
    '',
  ]
  for (const name of names) assertBrief(await visitor.get(`/assets/${name}`), 404, 'Not Found')
})
