import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '../client.ts'
import { startServer } from '../server.ts'

const server = await startServer({ delivers: false })
after(() => server.close())

const anywhere = createClient(new URL(server.url).origin)
const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' }

const allowedAt = async (path: string, method = 'GET', client = anywhere) =>
  (await client.request(method, path, undefined, { headers })).headers.get('access-control-allow-origin')

test('allows pages of other sites to read the OpenAPI document, with or without a key', async () => {
  assert.equal(await allowedAt('/api/v1/openapi.json'), '*')
  assert.equal(await allowedAt('/openapi.json', 'GET', server.api), '*')
})

test('allows pages of other sites to read nothing else, and no preflight request', async () => {
  for (const path of ['/tickets', '/project', '/events/catalog', '/updates?timeout=0', '/webhooks']) {
    assert.equal(await allowedAt(path, 'GET', server.api), null, path)
    assert.equal(await allowedAt(path, 'OPTIONS', server.api), null, path)
    assert.equal(await allowedAt(path, 'OPTIONS', server.stranger), null, path)
  }
  for (const path of ['/api/dashboard/me', '/docs', '/docs/events', '/widget.js', '/healthz', '/help/acme'])
    assert.equal(await allowedAt(path), null, path)
})

test('answers a preflight request like any other unsupported method', async () => {
  const ask = async (client: typeof anywhere) => (await client.request('OPTIONS', '/tickets')).status
  assert.deepEqual([await ask(server.stranger), await ask(server.api)], [401, 405])
})
