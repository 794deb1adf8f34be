import type { Config } from '../core/config/config.ts'
import { SettingError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { counter } from '../core/telemetry/metrics.ts'
import { failOpen } from './fail-open.ts'
import { createMemory } from './memory.ts'
import { createPostgres } from './postgres.ts'
import { createRedis } from './redis.ts'
import type { CounterStore, RequestCounter } from './store.ts'

export interface Verdict {
  isOver: boolean
  /** Whole seconds until the next window. Waiting for them is always enough. */
  retryAfter: number
}

export interface Limiter {
  count(bucket: string, budget: number): Promise<Verdict>
  close(): Promise<void>
}

type Choice = Pick<Config, 'rateLimitStore' | 'redisUrl' | 'databaseUrl'>

/** An embedded database belongs to one process, so counters in memory are enough. */
export function chooseStore({ rateLimitStore, redisUrl, databaseUrl }: Choice) {
  if (rateLimitStore === 'redis' && !redisUrl) {
    throw new SettingError('RATE_LIMIT_STORE: redis needs REDIS_URL; set it, or choose another store')
  }
  if (rateLimitStore !== 'auto') return rateLimitStore
  if (redisUrl) return 'redis'
  return databaseUrl ? 'postgres' : 'memory'
}

export function openStore(config: Choice, db: Db): CounterStore {
  const stores = {
    memory: () => createMemory(),
    postgres: () => createPostgres(db),
    redis: () => createRedis(config.redisUrl!),
  }
  return stores[chooseStore(config)]()
}

const decisions = counter(
  'deskbell_limiter_decisions_total',
  'Requests that were counted; failed_open: let pass because the counters did not answer',
  'decision',
  ['allowed', 'refused', 'failed_open'],
)

const free: Verdict = { isOver: false, retryAfter: 0 }

export const createLimiter = (counts: RequestCounter): Limiter => ({
  async count(bucket, budget) {
    const window = await counts.hit(bucket)
    if (!window || window.count <= budget) {
      decisions[window ? 'allowed' : 'failed_open']++
      return free
    }
    decisions.refused++
    return { isOver: true, retryAfter: Math.max(1, Math.ceil(window.rest / 1000)) }
  },
  close: () => counts.close(),
})

export async function openLimiter(config: Config, db: Db, log: Log): Promise<Limiter> {
  const store = openStore(config, db)
  return createLimiter(chooseStore(config) === 'memory' ? store : await failOpen(store, { log }))
}
