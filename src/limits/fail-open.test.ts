import assert from 'node:assert/strict'
import { stat } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { createDatabase } from '../../test/database.ts'
import { needs } from '../../test/needs.ts'
import { startRedis } from '../../test/redis.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { createLog, type Log } from '../core/telemetry/log.ts'
import { failOpen } from './fail-open.ts'
import { createLimiter } from './limiter.ts'
import { createPostgres } from './postgres.ts'
import { createRedis } from './redis.ts'
import type { CounterStore, RequestCounter } from './store.ts'

/** A log that collects its messages. */
function collectLog(): { log: Log; messages: string[] } {
  const messages: string[] = []
  const keep = (text: string) => void messages.push(text)
  return { log: Object.assign(createLog('silent'), { info: keep, warn: keep }), messages }
}

/** A store that counts, fails or hangs, as the test sets it. */
function createUnreliable() {
  let count = 0
  const store = {
    state: 'fine' as 'fine' | 'failing' | 'hanging',
    asked: 0,
    hit() {
      store.asked++
      if (store.state === 'failing') return Promise.reject(new Error('refused'))
      if (store.state === 'hanging') return Promise.withResolvers<never>().promise
      return { count: ++count, rest: 60_000 }
    },
    open: async () => {},
    close: async () => {},
  }
  return store satisfies CounterStore
}

async function open(
  t: TestContext,
  store: CounterStore,
  patience: number,
  { pause = 20, startTimeout }: { pause?: number; startTimeout?: number } = {},
) {
  const { log, messages } = collectLog()
  const counts = await failOpen(store, { log, patience, pause, startTimeout })
  t.after(() => counts.close())
  return { counts, messages }
}

/** The error of a store that does not open decides what is logged, however busy the machine is. */
const patient = { startTimeout: 30_000 }

const hits = async (counts: RequestCounter, times: number) => {
  const windows = await Promise.all(Array.from({ length: times }, () => counts.hit('key:1')))
  return windows.map(window => window !== null)
}

const counting = (counts: RequestCounter) => until(async () => (await counts.hit('key:1')) !== null)

test('a single failure returns no count, and the store stays in use', async t => {
  const store = createUnreliable()
  const { counts, messages } = await open(t, store, 10_000)
  for (let n = 0; n < 5; n++) {
    store.state = 'failing'
    assert.deepEqual(await hits(counts, 2), [false, false])
    store.state = 'fine'
    assert.deepEqual(await hits(counts, 1), [true])
  }
  assert.deepEqual(messages, [])
})

test('after three failures in a row, requests pass without asking the store', async t => {
  const store = createUnreliable()
  const { counts, messages } = await open(t, store, 10_000, { pause: 1_000_000 })
  store.state = 'failing'
  assert.deepEqual(await hits(counts, 3), [false, false, false])
  const { asked } = store
  assert.deepEqual(await hits(counts, 100), Array(100).fill(false))
  assert.equal(store.asked, asked)
  assert.equal(messages.length, 1)
  assert.match(messages[0]!, /do not answer \(refused\); requests are not limited/)
})

/** Resolves when all promises that were ready have run their callbacks. */
const settled = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

test('an unavailable store is probed once per interval until it responds, and not after close', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const store = createUnreliable()
  const { counts, messages } = await open(t, store, 30, { pause: 2_000 })
  const askedAfter = async (ms: number) => {
    const before = store.asked
    t.mock.timers.tick(ms)
    await settled()
    return store.asked - before
  }
  store.state = 'failing'
  await hits(counts, 10)
  assert.equal(messages.length, 1)
  assert.deepEqual([await askedAfter(1_999), await askedAfter(1), await askedAfter(1_999)], [0, 1, 0])
  assert.deepEqual(await hits(counts, 1), [false])
  store.state = 'fine'
  assert.equal(await askedAfter(1), 1)
  assert.deepEqual(messages.slice(1), ['The counters of the rate limits answer again; requests are limited'])
  assert.equal(await askedAfter(10_000), 0)
  store.state = 'failing'
  assert.deepEqual(await hits(counts, 2), [false, false])
  store.state = 'fine'
  assert.deepEqual(await hits(counts, 1), [true])
  store.state = 'failing'
  await hits(counts, 3)
  await counts.close()
  assert.equal(await askedAfter(10_000), 0)
})

test('the start waits one second for a store that hangs, and then limits nobody', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const store = { ...createUnreliable(), open: () => Promise.withResolvers<never>().promise }
  const opening = open(t, store, 30)
  t.mock.timers.tick(1_000)
  const { counts, messages } = await opening
  assert.deepEqual(messages, [
    'The counters of the rate limits do not answer (no answer within 1000 ms); requests are not limited until they do',
  ])
  assert.deepEqual(await hits(counts, 1), [false])
  assert.equal(store.asked, 0)
})

test('a request waits for a store that hangs until the timeout, and then passes', async t => {
  const store = createUnreliable()
  const { counts, messages } = await open(t, store, 30)
  store.state = 'hanging'
  assert.deepEqual(await hits(counts, 3), [false, false, false])
  assert.match(messages[0]!, /no answer within 30 ms/)
  store.state = 'fine'
  await counting(counts)
  assert.match(messages[1]!, /answer again/)
  assert.equal(messages.length, 2)
})

test('a response that arrived while the process was busy counts', async t => {
  const read = () => new Promise(resolve => stat(import.meta.filename, resolve))
  const answered = async () => {
    await read()
    return { count: 1, rest: 60_000 }
  }
  const { counts } = await open(t, { ...createUnreliable(), hit: answered }, 30)
  // After this, the event loop runs timers before it reads anything.
  await read()
  const hit = counts.hit('key:1')
  for (const end = performance.now() + 1_000; performance.now() < end; );
  assert.notEqual(await hit, null)
})

test(
  'Redis: if it is down at the start, requests pass without delay, and they are counted once it is up',
  needs('redis-server'),
  async t => {
    const redis = await startRedis(t)
    await redis.stop()
    const { counts, messages } = await open(t, createRedis(redis.url), 10_000, patient)
    assert.deepEqual(await hits(counts, 20), Array(20).fill(false))
    assert.match(messages[0]!, /ECONNREFUSED/)
    await redis.start()
    await counting(counts)
    assert.equal(messages.length, 2)
  },
)

test(
  'spec 8 limiter failure: while Redis hangs, requests pass, and they are counted again when it continues',
  needs('redis-server'),
  async t => {
    const redis = await startRedis(t)
    const { counts, messages } = await open(t, createRedis(redis.url), 100)
    await counting(counts)
    redis.pause()
    assert.deepEqual(await hits(counts, 3), [false, false, false])
    redis.resume()
    await counting(counts)
    assert.equal(messages.length % 2, 0)
  },
)

test('Redis: a lost connection is restored', needs('redis-server'), async t => {
  const redis = await startRedis(t)
  const { counts } = await open(t, createRedis(redis.url), 10_000)
  await counting(counts)
  await redis.stop()
  assert.deepEqual(await hits(counts, 3), [false, false, false])
  await redis.start()
  await counting(counts)
})

test('Redis: the log does not contain the password', needs('redis-server'), async t => {
  const { url } = await startRedis(t)
  const { messages } = await open(t, createRedis(url.replace('//', '//user:geheim@')), 10_000, {
    ...patient,
    pause: 1_000_000,
  })
  assert.match(messages[0]!, /WRONGPASS/)
  assert.doesNotMatch(messages[0]!, /geheim/)
})

test('Postgres: while the table is locked, requests pass, and they are counted again when it is free', async t => {
  const { db, drop } = await createDatabase()
  const store = createPostgres(db)
  const { counts } = await open(t, store, 100)
  await counting(counts)
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table rate_windows in access exclusive mode`
    assert.deepEqual(await hits(counts, 3), [false, false, false])
  })
  await counting(counts)
  await counts.close()
  await drop()
})

test(
  'spec 8 key budget: all servers that use the same store share the budget of a key',
  needs('redis-server'),
  async t => {
    const { url } = await startRedis(t)
    const server = await startServer({ delivers: false, config: { rateLimitPerKey: 10 } })
    const join = async () => {
      const { counts } = await open(t, createRedis(url), 10_000, patient)
      const app = await buildApp({ ...server, limiter: createLimiter(counts) })
      t.after(() => app.close())
      const headers = { authorization: `Bearer ${server.acme.key.key}` }
      return async () => (await app.inject({ url: '/api/v1/tickets', headers })).statusCode
    }
    t.after(() => server.close())
    const [one, other] = [await join(), await join()]
    // The first request of a key counts for its address, in each process.
    assert.deepEqual([await one(), await other()], [200, 200])
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 ? one() : other())))
    assert.equal(statuses.filter(status => status === 200).length, 10)
    assert.equal(statuses.filter(status => status === 429).length, 20)
  },
)
