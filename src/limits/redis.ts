import type { Redis } from 'ioredis'
import { lazyRequire } from '../core/async/lazy-require.ts'
import { type CounterStore, windowLength } from './store.ts'

/**
 * A single script, so that no counter is left without an expiry. A key still exists in the millisecond in which it expires, and a key
 * whose expiry was removed gets one again.
 */
const lua = `
local count = redis.call('incr', KEYS[1])
local rest = redis.call('pttl', KEYS[1])
if rest < 0 then
  redis.call('pexpire', KEYS[1], ${windowLength})
  rest = ${windowLength}
end
return { count, rest + 1 }`

const load = lazyRequire<typeof import('ioredis')>('ioredis')

interface Counting extends Redis {
  hit(key: string): Promise<[count: number, rest: number]>
}

const settings = {
  lazyConnect: true,
  protocol: 2,
  connectTimeout: 1_000,
  // Closes a connection that died silently.
  socketTimeout: 1_000,
  retryStrategy: (tries: number) => Math.min(tries * 50, 1_000),
  // The server has become a replica.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  // Requests that cannot be counted now are not counted later.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  scripts: { hit: { lua, numberOfKeys: 1 } },
} as const

/** Counts in Redis or Valkey, for all processes that use it. */
export function createRedis(url: string): CounterStore {
  const { Redis } = load()
  const redis = new Redis(url, settings) as Counting
  let trouble = new Error('it is not connected yet')
  redis.on('error', error => {
    trouble = error
  })
  return {
    async hit(bucket) {
      if (redis.status !== 'ready') throw trouble
      const [count, rest] = await redis.hit(`deskbell:rate:${bucket}`)
      return { count, rest }
    },
    open: () =>
      redis.connect().catch(() => {
        throw trouble
      }),
    close: async () => redis.disconnect(),
  }
}
