import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { makeTicket } from '../../../test/cast.ts'
import { cookieOf } from '../../../test/live.ts'
import { joinProject } from '../../../test/operator.ts'
import { startServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let cookie: string
before(async () => {
  server = await startServer({ delivers: false })
  for (let count = 0; count < 5; count++) await makeTicket(server.api, { content: 'My card is refused.' })
  cookie = cookieOf(await joinProject(server, server.acme))
})
after(() => server.close())

interface Received {
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** The raw response, which `fetch` would decompress. */
async function read(path: string, headers: Record<string, string>): Promise<Received> {
  const [response] = (await once(get(new URL(path, server.url), { headers }), 'response')) as [
    IncomingMessage,
  ]
  return { headers: response.headers, bytes: Buffer.concat(await response.toArray()) }
}

const list = '/api/v1/tickets'
const key = () => ({ authorization: `Bearer ${server.acme.key.key}` })
const plain = () => read(list, key())

for (const [encoding, unpack] of [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const) {
  test(`an API response is sent as ${encoding} to a client that accepts it`, async () => {
    const { headers, bytes } = await read(list, { ...key(), 'accept-encoding': encoding })
    assert.equal(headers['content-encoding'], encoding)
    assert.match(headers.vary!, /accept-encoding/)
    assert.deepEqual(unpack(bytes), (await plain()).bytes)
    assert.ok(bytes.length < (await plain()).bytes.length / 4)
  })
}

test('does not compress for a client that accepts no known encoding or refuses it', async () => {
  for (const accepted of ['identity', 'br;q=0, gzip;q=0.0', 'deflate']) {
    const { headers } = await read(list, { ...key(), 'accept-encoding': accepted })
    assert.equal(headers['content-encoding'], undefined, accepted)
  }
})

test('does not compress a response that fits into one packet', async () => {
  const { headers } = await read('/api/v1/project', { ...key(), 'accept-encoding': 'br' })
  assert.equal(headers['content-encoding'], undefined)
})

const ask = (site: Record<string, string>) =>
  read(`/api/dashboard/projects/${server.acme.id}/tickets`, { cookie, 'accept-encoding': 'br', ...site })

test('compresses a response to a request with a cookie only for our own pages', async () => {
  assert.equal((await ask({ 'sec-fetch-site': 'same-origin' })).headers['content-encoding'], 'br')
  for (const site of ['cross-site', 'same-site', ''])
    assert.equal((await ask({ 'sec-fetch-site': site })).headers['content-encoding'], undefined, site)
  assert.equal((await ask({})).headers['content-encoding'], undefined)
})

test('the page /docs and its files are less than 600 KB when compressed', async () => {
  const accepted = { 'accept-encoding': 'gzip, deflate, br' }
  const page = (await read('/docs', {})).bytes.toString()
  const files = [...page.matchAll(/(?:src|href)="(docs\/[^"]+\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  const sizes = await Promise.all(
    ['/docs', '/api/v1/openapi.json', ...files].map(async path => (await read(path, accepted)).bytes.length),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total < 600_000, `${total}: ${sizes.join(', ')}`)
})
