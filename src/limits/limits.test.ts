import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer, assertBrief, assertEnvelope, type Client } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { bucketOf } from './address.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { createMemory } from './memory.ts'
import { spendAddressBudget } from './rate-limit.ts'

async function setUp(t: TestContext, config: object, limiter?: Limiter) {
  const server = await startServer({ delivers: false, config, limiter })
  t.after(() => server.close())
  return server
}

function assertOver(answer: Answer): void {
  assertEnvelope(answer, 429, 'RATE_LIMIT_EXCEEDED')
  const wait = Number(answer.headers.get('retry-after'))
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(answer.headers.get('retry-after')))
  assert.deepEqual(answer.body.detail, { retry_after: wait })
}

const countOf = async (calls: number, call: () => Promise<Answer>) => {
  const statuses: number[] = []
  for (let at = 0; at < calls; at++) statuses.push((await call()).status)
  return statuses
}

const from = (client: Client, address: string) =>
  client.get('/tickets', { headers: { 'x-forwarded-for': address } })

test("spec 7.1 429 RATE_LIMIT_EXCEEDED: requests beyond a key's budget are refused with Retry-After", async t => {
  const { api, outsider } = await setUp(t, { rateLimitPerKey: 5 })
  assert.deepEqual(await countOf(6, () => api.get('/tickets')), Array(6).fill(200))
  assertOver(await api.get('/tickets'))
  assertOver(await api.post('/nothing'))
  assert.equal((await outsider.get('/tickets')).status, 200)
})

test("a key's budget is exact under 60 simultaneous requests", async t => {
  const { api } = await setUp(t, { rateLimitPerKey: 25 })
  await api.get('/tickets')
  const answers = await Promise.all(Array.from({ length: 60 }, () => api.get('/tickets')))
  assert.equal(answers.filter(answer => answer.status === 200).length, 25)
  assert.equal(answers.filter(answer => answer.status === 429).length, 35)
})

test('spec 8 address budget: requests without a key and with wrong keys share the budget of their address', async t => {
  const { stranger } = await setUp(t, { rateLimitPerIp: 4 })
  const wrong = () => stranger.get('/tickets', { headers: { authorization: 'Bearer sk_wrong' } })
  assertBrief(await stranger.get('/tickets'), 401)
  assertBrief(await wrong(), 401)
  assertBrief(await stranger.get('/nothing'), 401)
  assertBrief(await wrong(), 401)
  for (const answer of [await wrong(), await stranger.get('/tickets')]) assertOver(answer)
})

test('operations without a key have their own budget, so they work after other requests have used up that of their address', async t => {
  const { stranger } = await setUp(t, { rateLimitPerIp: 2 })
  assert.deepEqual(await countOf(3, () => stranger.get('/tickets')), [401, 401, 429])
  assert.deepEqual(await countOf(2, () => stranger.get('/openapi.json')), [200, 200])
  assertOver(await stranger.get('/openapi.json'))
})

test('a valid key that the process knows is not limited by the budget of its address', async t => {
  const { api, stranger } = await setUp(t, { rateLimitPerIp: 3 })
  await api.get('/tickets')
  await countOf(5, () => stranger.get('/tickets'))
  assert.equal((await stranger.get('/tickets')).status, 429)
  assert.deepEqual(await countOf(4, () => api.get('/tickets')), Array(4).fill(200))
})

test('spec 8 first request: the first request of a new key counts towards the budget of its address, not its own', async t => {
  const { api, outsider, stranger } = await setUp(t, { rateLimitPerIp: 2, rateLimitPerKey: 3 })
  assert.deepEqual(await countOf(4, () => api.get('/tickets')), [200, 200, 200, 200])
  assertOver(await api.get('/tickets'))
  assert.equal((await stranger.get('/tickets')).status, 401)
  assertOver(await outsider.get('/tickets'))
})

test('spec 8 key budget: unknown paths and methods count too', async t => {
  const { api } = await setUp(t, { rateLimitPerKey: 2 })
  await api.get('/tickets')
  assert.deepEqual([(await api.get('/nothing')).status, (await api.put('/tickets')).status], [404, 405])
  assertOver(await api.get('/tickets'))
})

test('spec 8 no X-RateLimit: no response has an X-RateLimit header', async t => {
  const { api, stranger } = await setUp(t, { rateLimitPerKey: 1, rateLimitPerIp: 2 })
  const answers = [...Array(3)].flatMap(() => [() => api.get('/tickets'), () => stranger.get('/tickets')])
  for (const call of answers) {
    const names = [...(await call()).headers.keys()]
    assert.deepEqual(
      names.filter(name => /ratelimit/i.test(name)),
      [],
    )
  }
})

test('forged X-Forwarded-For, Forwarded and X-Real-IP headers are ignored', async t => {
  const { stranger } = await setUp(t, { rateLimitPerIp: 3 })
  const call = (at: number) => {
    const address = `203.0.113.${at}`
    const headers = { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address }
    return stranger.get('/tickets', {
      headers: { ...headers, 'cf-connecting-ip': address, 'true-client-ip': address },
    })
  }
  const statuses = []
  for (let at = 1; at <= 5; at++) statuses.push((await call(at)).status)
  assert.deepEqual(statuses, [401, 401, 401, 429, 429])
})

test('spec 8 address budget: behind a proxy in TRUST_PROXY, each client address has its own budget', async t => {
  const { stranger } = await setUp(t, { rateLimitPerIp: 1, trustProxy: ['127.0.0.0/8'] })
  assert.equal((await from(stranger, '203.0.113.1')).status, 401)
  assert.equal((await from(stranger, '203.0.113.2')).status, 401)
  assertOver(await from(stranger, '203.0.113.1'))
})

test('behind trusted proxies, the rightmost address that is not a trusted proxy counts', async t => {
  const { stranger } = await setUp(t, { rateLimitPerIp: 1, trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] })
  assert.equal((await from(stranger, '1.1.1.1, 203.0.113.7, 10.0.0.5')).status, 401)
  assertOver(await from(stranger, '2.2.2.2, 203.0.113.7'))
  assertOver(await from(stranger, '203.0.113.7, 10.9.9.9, 10.0.0.5'))
  assert.equal((await from(stranger, '203.0.113.7, 203.0.113.8')).status, 401)
})

test('IPv6 addresses count per /64, and IPv4-mapped addresses as IPv4', async t => {
  const { stranger } = await setUp(t, { rateLimitPerIp: 1, trustProxy: ['127.0.0.0/8'] })
  assert.equal((await from(stranger, '2001:db8:0:1::1')).status, 401)
  assertOver(await from(stranger, '2001:db8:0:1:ffff:ffff:ffff:ffff'))
  assert.equal((await from(stranger, '2001:db8:0:2::1')).status, 401)
  assert.equal((await from(stranger, '198.51.100.9')).status, 401)
  assertOver(await from(stranger, '::ffff:198.51.100.9'))
  assertOver(await from(stranger, '::ffff:c633:6409'))
})

test('all spellings of an address have the same bucket', () => {
  assert.equal(bucketOf('2001:DB8:0:0:1::'), bucketOf('2001:db8::ffff'))
  assert.equal(bucketOf('2001:db8::1'), bucketOf('2001:0db8:0000:0000::2'))
  assert.equal(bucketOf('::ffff:1.2.3.4'), bucketOf('1.2.3.4'))
  assert.notEqual(bucketOf('2001:db8:0:1::1'), bucketOf('2001:db8:0:2::1'))
  assert.notEqual(bucketOf('1.2.3.4'), bucketOf('1.2.3.5'))
  assert.equal(bucketOf('1.2.3.4:5678'), bucketOf('1.2.3.4'))
  assert.equal(bucketOf('[2001:db8::1]:5678'), bucketOf('2001:db8::2'))
  assert.equal(bucketOf('fe80::1%eth0'), bucketOf('fe80::2'))
})

test('a bucket is named after the address or its network', () => {
  const named = ['198.51.100.10', '198.51.100.10:65535', '::ffff:198.51.100.10'].map(bucketOf)
  assert.deepEqual(named, Array(3).fill('198.51.100.10'))
  const networks = ['2001:DB8:0:a1::7', '[2001:db8:0:a1:1:2:3:4]', '[2001:db8:0:a1::]:80'].map(bucketOf)
  assert.deepEqual(networks, Array(3).fill('2001:db8:0:a1::/64'))
})

test('each address has a separate budget for each purpose', async () => {
  const limiter = createLimiter(createMemory())
  const spent = (purpose: string, ip: string) => spendAddressBudget(limiter, purpose, ip, 1)
  await spent('votes', '203.0.113.1')
  await spent('votes', '203.0.113.2')
  await spent('letters', '203.0.113.1')
  const detail = { retry_after: 60 }
  await assert.rejects(spent('votes', '::ffff:203.0.113.1'), { code: 'RATE_LIMIT_EXCEEDED', detail })
})

test('texts that are not addresses share one bucket', () => {
  const odd = ['', 'unknown', 'x:y', '1.2.3', '1.2.3.4.5', '_hidden', 'a'.repeat(9_000), '[', '::g']
  const nearly = ['1.2.3.4:', '1.2.3.4:80x', 'x1.2.3.4:80', '[::1]x', 'x[::1]', '[::1]:', '[::1]:x', '[]']
  assert.deepEqual([...new Set([...odd, ...nearly].map(bucketOf))], ['unknown'])
})

test('a peer with the address ::ffff:127.0.0.1 is a trusted proxy of 127.0.0.0/8', async t => {
  const { app } = await setUp(t, { rateLimitPerIp: 1, trustProxy: ['127.0.0.0/8'] })
  const call = async (client: string) => {
    const headers = { 'x-forwarded-for': client }
    const url = '/api/v1/tickets'
    return (await app.inject({ url, headers, remoteAddress: '::ffff:127.0.0.1' })).statusCode
  }
  assert.deepEqual([await call('203.0.113.1'), await call('203.0.113.2')], [401, 401])
  assert.equal(await call('203.0.113.1'), 429)
})

test("10,000 forged addresses from an untrusted peer all count towards the peer's budget", async t => {
  const config = { rateLimitPerIp: 10, requestsAtOnce: 500, trustProxy: ['10.0.0.0/8'] }
  // A busy machine may need more than the minute after which the budget is full again.
  const { app } = await setUp(t, config, createLimiter(createMemory(() => 0)))
  const names = ['x-forwarded-for', 'forwarded', 'x-real-ip']
  const call = async (at: number) => {
    const address = `203.0.${at >> 8}.${at & 255}`
    const value = at % 3 === 1 ? `for=${address}` : address
    const headers = { [names[at % 3]!]: value }
    return (await app.inject({ url: '/api/v1/tickets', headers, remoteAddress: '198.51.100.1' })).statusCode
  }
  const statuses: number[] = []
  for (let from = 0; from < 10_000; from += 500) {
    statuses.push(...(await Promise.all(Array.from({ length: 500 }, (_, n) => call(from + n)))))
  }
  assert.equal(statuses.filter(status => status === 401).length, 10)
  assert.equal(statuses.filter(status => status === 429).length, 9_990)
})
