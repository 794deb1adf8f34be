import type { Config } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { errorOf } from '../core/thrown.ts'
import { rejectAfter } from './fail-open.ts'
import { chooseStore } from './limiter.ts'
import { createRedis } from './redis.ts'

const storeTimeoutMs = 3_000

async function describeRedis(url: string): Promise<string> {
  const { host } = new URL(url)
  const store = createRedis(url)
  try {
    await rejectAfter(storeTimeoutMs, store.open())
    return `requests are counted in the Redis at ${host}, which answers`
  } catch (error) {
    throw new SetupError(
      `REDIS_URL: the Redis at ${host} does not answer (${errorOf(error).message}), so requests are not limited; start it, or correct the address`,
    )
  } finally {
    await store.close()
  }
}

/** Describes where requests are counted. Throws if the store does not respond. */
export async function describeLimits(config: Config, db: Db): Promise<string> {
  const store = chooseStore(config)
  if (store === 'redis') return describeRedis(config.redisUrl!)
  if (store === 'memory') return 'requests are counted in each process separately'
  const [table] = await db`select to_regclass('rate_windows') is not null as exists`
  return `requests are counted in the database${table?.exists ? '' : ', in a table that the next start creates'}`
}
