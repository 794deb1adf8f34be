import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/core/config/config.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { createKey, disableKey } from '../../src/keys/keys.ts'
import { failOpen } from '../../src/limits/fail-open.ts'
import { createLimiter } from '../../src/limits/limiter.ts'
import { createPostgres } from '../../src/limits/postgres.ts'
import type { CounterStore, RequestCounter } from '../../src/limits/store.ts'
import { type Answer, assertBrief, assertEnvelope, createClient } from '../client.ts'
import { startServer, type TestServer } from '../server.ts'
import { until } from '../until.ts'

/** Spec 8 with its numbers, which are the default settings. */

const { rateLimitPerIp, rateLimitPerKey } = readConfig({})

/** Starts an HTTP server of the installation. Its clients are Acme, Rival and one without a key. */
async function open(server: TestServer, counts: RequestCounter) {
  const app = await buildApp({ ...server, limiter: createLimiter(counts) })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/v1`
  const [api, outsider] = [server.acme, server.rival].map(({ key }) => createClient(url, key.key))
  return { app, url, api: api!, outsider: outsider!, stranger: createClient(url) }
}

/** Starts this many HTTP servers, which count in the database. */
async function setUp(
  t: TestContext,
  servers: number,
  config: object = {},
  wrap = async (store: CounterStore): Promise<RequestCounter> => store,
) {
  const server = await startServer({
    delivers: false,
    config: { rateLimitPerIp, rateLimitPerKey, ...config },
  })
  const opened: Awaited<ReturnType<typeof open>>[] = []
  t.after(async () => {
    for (const { app } of opened) {
      app.server.closeAllConnections()
      await app.close()
    }
    await server.close()
  })
  for (let one = 0; one < servers; one++)
    opened.push(await open(server, await wrap(createPostgres(server.db, 10_000))))
  return { server, opened, ...opened[0]! }
}

/** Sets the number of requests in the current window. */
const spend = ({ db }: TestServer, kind: 'key' | 'ip', requests: number) =>
  db`update rate_windows set count = ${requests} where bucket like ${`${kind}:%`}`

function assertOver(answer: Answer): void {
  assertEnvelope(answer, 429, 'RATE_LIMIT_EXCEEDED', {
    retry_after: Number(answer.headers.get('retry-after')),
  })
  assert.match(answer.headers.get('retry-after')!, /^[1-9]\d?$/)
}

test('spec 8 key budget: 20,000 requests a minute with one key, across all servers', async t => {
  const { server, opened: servers } = await setUp(t, 2)
  for (const { api } of [...servers, ...servers]) assert.equal((await api.get('/tickets')).status, 200)
  await spend(server, 'key', 19_998)
  for (const { api } of servers) assert.equal((await api.get('/tickets')).status, 200)
  for (const { api } of servers) assertOver(await api.get('/tickets'))
  for (const { outsider } of servers) assert.equal((await outsider.get('/tickets')).status, 200)
})

test('spec 8 address budget: 1,000 requests a minute from one address without a key or with an invalid one', async t => {
  const { server, url, api, stranger } = await setUp(t, 1)
  const { id, key } = await createKey(server.db, server.acme.id, 'Old')
  await disableKey(server.db, id)
  const callers = [stranger, createClient(url, 'sk_wrong'), createClient(url, key)]
  await api.get('/tickets')
  await spend(server, 'ip', 997)
  for (const caller of callers) assertBrief(await caller.get('/tickets'), 401)
  for (const caller of callers) assertOver(await caller.get('/tickets'))
  assert.equal((await api.get('/tickets')).status, 200)
})

test("spec 8 first request: a new key's first request counts towards the address budget, in each server", async t => {
  const { server, opened } = await setUp(t, 2)
  const counted = async () => {
    const rows =
      await server.db`select split_part(bucket, ':', 1) as kind, count from rate_windows order by 1`
    return rows.map(({ kind, count }) => `${kind} ${count}`).join(' ')
  }
  const wanted = ['ip 1', 'ip 1 key 1', 'ip 2 key 1', 'ip 2 key 2']
  const found: string[] = []
  for (const { api } of [opened[0]!, opened[0]!, opened[1]!, opened[1]!]) {
    assert.equal((await api.get('/tickets')).status, 200)
    found.push(await counted())
  }
  assert.deepEqual(found, wanted)
})

test('spec 8 window, spec 8 Retry-After: later requests do not extend a window, and a 429 says when it ends', async t => {
  const { server, api } = await setUp(t, 1, { rateLimitPerKey: 1 })
  const look = async () => {
    const [row] = await server.db`
      select ends::text, ceil(extract(epoch from ends - clock_timestamp()))::int as remaining
      from rate_windows where bucket like 'key:%'`
    return row!
  }
  for (let requests = 0; requests < 2; requests++) assert.equal((await api.get('/tickets')).status, 200)
  const { remaining } = await look()
  assert.ok(remaining > 30 && remaining <= 60, `${remaining} s`)
  await server.db`update rate_windows set ends = ends - interval '20 s'`
  const before = await look()
  const answer = await api.get('/tickets')
  const later = await look()
  assertOver(answer)
  const retryAfter = Number(answer.headers.get('retry-after'))
  assert.ok(
    before.remaining >= retryAfter && retryAfter >= later.remaining,
    `${before.remaining} ≥ ${retryAfter} ≥ ${later.remaining}`,
  )
  assert.equal(later.ends, before.ends)
  await server.db`update rate_windows set ends = now()`
  assert.equal((await api.get('/tickets')).status, 200)
  assertOver(await api.get('/tickets'))
})

test('spec 8 limiter failure: no request is limited while counting fails, with or without a key', async t => {
  const patient = { log: createLog('silent'), patience: 10_000, pause: 20 }
  const budgets = { rateLimitPerKey: 1, rateLimitPerIp: 3 }
  const { server, api, outsider, stranger } = await setUp(t, 1, budgets, store => failOpen(store, patient))
  for (const client of [api, api, outsider]) await client.get('/tickets')
  assertOver(await api.get('/tickets'))
  await stranger.get('/tickets')
  assertOver(await stranger.get('/tickets'))
  await server.db`alter table rate_windows rename to elsewhere`
  for (let requests = 0; requests < 5; requests++) {
    assert.equal((await api.get('/tickets')).status, 200)
    assertBrief(await stranger.get('/tickets'), 401)
  }
  await server.db`alter table elsewhere rename to rate_windows`
  await until(async () => (await api.get('/tickets')).status === 429)
  assertOver(await stranger.get('/tickets'))
})
