import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { failOpen } from '../../src/limits/fail-open.ts'
import { createPostgres } from '../../src/limits/postgres.ts'
import { createRedis } from '../../src/limits/redis.ts'
import type { CounterStore, RequestCounter } from '../../src/limits/store.ts'
import { percentile } from '../figures.ts'

/** A process that only counts in a store, like the limiter. */

export interface Place {
  redis?: string
  target?: DatabaseTarget
  /** The timeout of a count in milliseconds. */
  patience: number
}

export interface Pace {
  perSecond: number
  seconds: number
}

export interface Paced {
  p50: number
  p99: number
  /** The delay of a 1 ms timer, which the machine adds to every wait. */
  timerP99: number
  uncounted: number
}

export interface Rush {
  times: number
  budget: number
}

const openStore = ({ redis, target, patience }: Place): CounterStore =>
  redis ? createRedis(redis) : createPostgres(connect(target!, { max: 1 }), patience)

/** Counts at a fixed rate over 20 keys, without waiting for responses. */
async function pace(counts: RequestCounter, { perSecond, seconds }: Pace): Promise<Paced> {
  const times: number[] = []
  const late: number[] = []
  let uncounted = 0
  const hit = async (n: number) => {
    const begun = performance.now()
    if (!(await counts.hit(`key:pace ${n % 20}`))) uncounted++
    times.push(performance.now() - begun)
  }
  const hits: Promise<void>[] = []
  const begun = performance.now()
  while (performance.now() - begun < seconds * 1000) {
    const due = ((performance.now() - begun) / 1000) * perSecond
    while (hits.length < due) hits.push(hit(hits.length))
    const slept = performance.now()
    await sleep(1)
    late.push(performance.now() - slept - 1)
  }
  await Promise.all(hits)
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    timerP99: percentile(late, 0.99),
    uncounted,
  }
}

/** Counts as fast as possible on one key, 32 at a time. */
async function rush(counts: RequestCounter, { times, budget }: Rush): Promise<number> {
  let [left, passed] = [times, 0]
  const call = async () => {
    while (left-- > 0) {
      const window = await counts.hit('key:rush')
      if (!window || window.count <= budget) passed++
    }
  }
  await Promise.all(Array.from({ length: 32 }, call))
  return passed
}

let counts: RequestCounter

process.on('message', async (order: Place | Pace | Rush) => {
  if ('perSecond' in order) return process.send!(await pace(counts, order))
  if ('times' in order) return process.send!(await rush(counts, order))
  const log = createLog('warn')
  counts = await failOpen(openStore(order), { log, patience: order.patience })
  process.send!(true)
})
process.on('disconnect', () => process.exit())
