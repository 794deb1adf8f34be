import type { Redis } from 'ioredis'
import { lazyRequire } from '../core/lazy-require.ts'
import { type CounterStore, windowLength } from './store.ts'

/**
 * One script, so that no counter stays without an end. A key still exists in the millisecond in which it ends, and one
 * that somebody made immortal gets an end again.
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
  // A connection that died without a word is left behind.
  socketTimeout: 1_000,
  retryStrategy: (tries: number) => Math.min(tries * 50, 1_000),
  // A replica that was the master until now.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  // What cannot be counted now is not counted later.
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
