import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertBrief, createClient, sendRaw } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
after(() => server.close())

const browser = createClient(new URL(server.url).origin)
const page = await browser.get('/docs')
const files = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+\/[^"]+)"/g)].map(([, path]) => `/${path}`)

/** Revalidates as a browser does; `fetch` would request a fresh copy. */
const askAgain = (path: string, etag: string) =>
  sendRaw(
    server.url,
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`,
  )

test('/docs is public', () => {
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(page.text, /^<!doctype html>/)
})

test('/docs/ redirects to /docs', async () => {
  const answer = await browser.get('/docs/')
  const target = new URL(answer.headers.get('location')!, 'http://desk.example/docs/')
  assert.deepEqual([answer.status, target.pathname], [308, '/docs'])
})

test('the page loads everything from this server', () => {
  const addresses = [...page.text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]*)"/g)].map(
    ([, address]) => address,
  )
  assert.deepEqual(addresses.length, files.length + 2)
  assert.ok(addresses.every(address => /^(docs\/|\/fonts\/|data:,)/.test(address!)))
  assert.ok(addresses.includes('data:,'), 'no /favicon.ico')
})

for (const path of files) {
  test(`${path.split('/').at(-1)} is immutable for browsers, and sent with nosniff`, async () => {
    const { status, headers, text } = await browser.get(path)
    assert.equal(status, 200)
    assert.ok(text.length > 100)
    assert.match(headers.get('content-type')!, path.endsWith('.js') ? /javascript/ : /text\/css/)
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.ok(headers.get('x-request-id'))
  })

  test(`${path.split('/').at(-1)} answers 304 to a browser that has it`, async () => {
    const etag = (await browser.get(path)).headers.get('etag')!
    assert.equal((await askAgain(path, etag)).status, 304)
  })
}

test('the page itself is revalidated every time, and answers 304', async () => {
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  assert.equal((await askAgain('/docs', page.headers.get('etag')!)).status, 304)
})

test('the content security policy forbids foreign sources, inline scripts and framing', () => {
  const policy = page.headers.get('content-security-policy')!.split('; ')
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.includes(rule), rule)
  }
  assert.doesNotMatch(policy.join(), /unsafe|http|\*/)
})

test('no other file is served', async () => {
  const folder = files[0]!.split('/').slice(0, -1).join('/')
  const names = ['package.json', 'index.html', '..%2fpackage.json', '%2e%2e%2fpage.ts', 'constructor', '']
  for (const name of names) assertBrief(await browser.get(`${folder}/${name}`), 404, 'Not Found')
  assertBrief(await browser.get('/docs/0123456789ab/start.js'), 404, 'Not Found')
})
