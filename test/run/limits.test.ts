import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { makeCast } from '../cast.ts'
import { createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { needs } from '../needs.ts'
import { startRedis } from '../redis.ts'
import { until } from '../until.ts'
import { makeDataDir, spawnServer, startServer } from './program.ts'

async function setUp(t: TestContext) {
  const { db, target, drop } = await createDatabase()
  t.after(drop)
  const settings = {
    DATA_DIR: makeDataDir(t),
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
  }
  return { settings, db, ...(await makeCast(db)) }
}

test('starts without a reachable Redis, and reports it once', async t => {
  const { settings, acme } = await setUp(t)
  const limits = { REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_PER_KEY: '1', RATE_LIMIT_PER_IP: '1' }
  const server = await startServer(t, { ...settings, ...limits })
  const api = createClient(`${server.url}/api/v1`, acme.key.key)
  for (let n = 0; n < 10; n++) assert.equal((await api.get('/tickets')).status, 200)
  await until(() => server.stderr.includes('requests are not limited'))
  assert.equal(server.stderr.match(/requests are not limited/g)?.length, 1, server.stderr)
})

test('starts although Redis hangs, and limits requests once it responds', needs('redis-server'), async t => {
  const { settings, acme } = await setUp(t)
  const redis = await startRedis(t)
  redis.pause()
  const server = await startServer(t, { ...settings, REDIS_URL: redis.url, RATE_LIMIT_PER_KEY: '1' })
  const api = createClient(`${server.url}/api/v1`, acme.key.key)
  for (let n = 0; n < 10; n++) assert.equal((await api.get('/tickets')).status, 200)
  redis.resume()
  await until(async () => (await api.get('/tickets')).status === 429)
})

test('processes on one DATABASE_URL share rate limits without a setting', async t => {
  const { settings, db } = await setUp(t)
  const one = await startServer(t, { ...settings, ROLES: 'http', RATE_LIMIT_PER_IP: '1000' })
  const other = await startServer(t, { ...settings, ROLES: 'http', RATE_LIMIT_PER_IP: '1000' })
  const call = (url: string) => createClient(`${url}/api/v1`, 'sk_wrong').get('/tickets')
  let sent = 0
  await until(async () => {
    await Promise.all([call(one.url), call(other.url)])
    sent++
    const [row] = await db<{ count: number }[]>`select count from rate_windows where bucket = 'ip:127.0.0.1'`
    return row && row.count > sent
  })
})

test('refuses to start with RATE_LIMIT_STORE=redis and no REDIS_URL, and names the setting', async t => {
  const { settings } = await setUp(t)
  const { status, stderr } = await spawnServer(t, { ...settings, RATE_LIMIT_STORE: 'redis' }).ended
  assert.equal(status, 78)
  assert.match(stderr, /^RATE_LIMIT_STORE: redis needs REDIS_URL.*\n$/)
})
