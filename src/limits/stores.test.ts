import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Redis } from 'ioredis'
import { createDatabase } from '../../test/database.ts'
import { needs } from '../../test/needs.ts'
import { startRedis } from '../../test/redis.ts'
import { createLimiter } from './limiter.ts'
import { createMemory } from './memory.ts'
import { createPostgres, deleteEndedWindows } from './postgres.ts'
import { createRedis } from './redis.ts'
import type { CounterStore } from './store.ts'

interface Place {
  /** Adds a process that uses the store. */
  join(): Promise<CounterStore>
  /** Lets this many milliseconds of every window pass. */
  shift(ms: number): Promise<unknown>
}

async function opened(t: TestContext, store: CounterStore): Promise<CounterStore> {
  t.after(() => store.close())
  await store.open()
  return store
}

function inMemory(t: TestContext): Place {
  let now = 12_345
  const store = opened(
    t,
    createMemory(() => now),
  )
  return { join: async () => store, shift: async ms => (now += ms) }
}

async function inPostgres(t: TestContext): Promise<Place> {
  const { db, drop } = await createDatabase()
  const stores: CounterStore[] = []
  t.after(async () => {
    for (const store of stores) await store.close()
    await drop()
  })
  return {
    async join() {
      stores.push(createPostgres(db, 10_000))
      await stores.at(-1)!.open()
      return stores.at(-1)!
    },
    shift: ms => db`update rate_windows set ends = ends - ${ms}::int * interval '1 ms'`,
  }
}

async function inRedis(t: TestContext): Promise<Place> {
  const { url } = await startRedis(t)
  const admin = new Redis(url)
  t.after(() => admin.disconnect())
  return {
    join: () => opened(t, createRedis(url)),
    async shift(ms) {
      for (const key of await admin.keys('*')) await admin.pexpire(key, (await admin.pttl(key)) - ms)
    },
  }
}

const kinds = {
  memory: [{}, inMemory],
  Postgres: [{}, inPostgres],
  Redis: [needs('redis-server'), inRedis],
} as const

for (const [kind, [options, open]] of Object.entries(kinds)) {
  test(`${kind}: each bucket is counted separately`, options, async t => {
    const store = await (await open(t)).join()
    const counts = []
    for (const bucket of ['key:1', 'key:1', 'ip:1', 'key:2', 'key:1']) {
      counts.push((await store.hit(bucket)).count)
    }
    assert.deepEqual(counts, [1, 2, 1, 1, 3])
  })

  test(
    `spec 8 window: ${kind}: a window ends one minute after its first request, and a new full window follows`,
    options,
    async t => {
      const { join, shift } = await open(t)
      const store = await join()
      const first = await store.hit('key:1')
      assert.ok(first.rest <= 60_001 && first.rest > 30_000, String(first.rest))
      await shift(20_000)
      const second = await store.hit('key:1')
      assert.ok(second.rest <= first.rest - 20_000 && second.rest > 0, String(second.rest))
      assert.equal(second.count, 2)
      await shift(40_000)
      const third = await store.hit('key:1')
      assert.equal(third.count, 1)
      assert.ok(third.rest > 30_000, String(third.rest))
    },
  )

  test(`${kind}: counts are exact for many simultaneous requests of several processes`, options, async t => {
    const { join } = await open(t)
    const stores = [await join(), await join(), await join()]
    const buckets = ['key:1', 'ip:1', 'key:2']
    const hits = Array.from({ length: 900 }, async (_, n) => {
      const bucket = buckets[Math.floor(n / 3) % 3]!
      return { bucket, count: (await stores[n % 3]!.hit(bucket)).count }
    })
    const counted = await Promise.all(hits)
    for (const bucket of buckets) {
      const counts = counted.filter(one => one.bucket === bucket).map(one => one.count)
      assert.deepEqual(
        counts.sort((a, b) => a - b),
        Array.from({ length: 300 }, (_, n) => n + 1),
      )
    }
  })
}

test('spec 8 Retry-After: memory: waiting for Retry-After seconds is always enough, and it is never 0', async () => {
  let now = 0
  const limiter = createLimiter(createMemory(() => now))
  for (const wait of [0, 1, 499.5, 500, 999, 1_000, 30_000.1, 59_000.5, 59_999.9]) {
    await limiter.count(`b${wait}`, 1)
    now += wait
    const { isOver, retryAfter } = await limiter.count(`b${wait}`, 1)
    assert.equal(isOver, true)
    assert.equal(retryAfter, Math.ceil((60_000 - wait) / 1000))
    now += retryAfter * 1000
    assert.equal((await limiter.count(`b${wait}`, 1)).isOver, false)
  }
})

test('memory: beyond 100,000 addresses the oldest one is forgotten, and keys are not', async () => {
  const store = createMemory(() => 0)
  const hit = async (bucket: string) => (await store.hit(bucket)).count
  await hit('key:1')
  await hit('ip:first')
  for (let n = 0; n < 99_999; n++) await hit(`ip:${n}`)
  assert.equal(await hit('ip:first'), 2)
  await hit('ip:one more')
  assert.equal(await hit('ip:first'), 1)
  assert.equal(await hit('key:1'), 2)
})

test('Redis: a counter without an expiry gets one', needs('redis-server'), async t => {
  const { url } = await startRedis(t)
  const store = await opened(t, createRedis(url))
  const admin = new Redis(url)
  t.after(() => admin.disconnect())
  await store.hit('key:1')
  await admin.persist('deskbell:rate:key:1')
  const { rest } = await store.hit('key:1')
  assert.equal(rest, 60_001)
  assert.ok((await admin.pttl('deskbell:rate:key:1')) > 0)
})

test('Postgres: the store does not open if its table is missing', async t => {
  const { db, drop } = await createDatabase()
  const store = createPostgres(db)
  t.after(async () => {
    await store.close()
    await drop()
  })
  await store.open()
  await db`drop table rate_windows`
  await assert.rejects(store.open(), /rate_windows/)
})

test('Postgres: all processes that find an ended window open the same next one', async t => {
  const { join, shift } = await inPostgres(t)
  const stores = [await join(), await join(), await join()]
  await stores[0]!.hit('key:1')
  await shift(60_000)
  const counts = await Promise.all(stores.map(async store => (await store.hit('key:1')).count))
  assert.deepEqual(counts.sort(), [1, 2, 3])
})

test('Postgres: windows that ended more than a minute ago are deleted, others are kept', async t => {
  const { db, drop } = await createDatabase()
  t.after(drop)
  await db`insert into rate_windows (bucket, count, ends) values
    ('ip:old', 5, now() - interval '2 minutes'), ('ip:older', 5, now() - interval '2 days'),
    ('ip:just now', 5, now()), ('ip:open', 5, now() + interval '30 s')`
  assert.deepEqual(
    [await deleteEndedWindows(db, 1), await deleteEndedWindows(db), await deleteEndedWindows(db)],
    [1, 1, 0],
  )
  const left = await db`select bucket from rate_windows order by bucket`
  assert.deepEqual(
    left.map(row => row.bucket),
    ['ip:just now', 'ip:open'],
  )
})
