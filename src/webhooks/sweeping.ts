import { setTimeout as pause } from 'node:timers/promises'
import { restAfter } from '../core/courtesy.ts'
import type { Db } from '../core/db.ts'
import type { Log } from '../core/log.ts'
import { watchClock } from './clock-watch.ts'
import { inTime } from './in-time.ts'
import {
  cancelDue,
  drawNear,
  eraseHistory,
  eraseOld,
  eraseOrphans,
  eraseQueue,
  eraseWebhooks,
} from './sweep.ts'

interface Chore {
  every: number
  /** Rows in one statement; a full one is followed by another after a rest. */
  batch: number
  run(db: Db, batch: number): Promise<number>
}

const chores: Chore[] = [
  { every: 250, batch: 500, run: cancelDue },
  { every: 1_000, batch: 1_000, run: eraseQueue },
  { every: 1_000, batch: 1_000, run: eraseHistory },
  { every: 60_000, batch: 1_000, run: eraseOrphans },
  { every: 60_000, batch: 1_000, run: eraseOld },
  { every: 60_000, batch: Number.POSITIVE_INFINITY, run: eraseWebhooks },
]

const readClock = async (db: Db): Promise<number> => {
  const [row] = await db<
    { ms: number }[]
  >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
  return row!.ms
}

/** Looks whether the clock was set back, and then brings near what that has put off. */
function heedClock(db: Db, delays: readonly number[]): Chore {
  const wasSetBack = watchClock(() => readClock(db))
  let isOpen = false
  return {
    every: 1_000,
    batch: 1_000,
    async run(_, batch) {
      isOpen = (await wasSetBack()) || isOpen
      if (!isOpen) return 0
      const count = await drawNear(db, delays, batch)
      isOpen = count >= batch
      return count
    },
  }
}

/** Statements end after 9 s; what takes longer has lost its connection. */
const longest = 13_000

/** Takes away what is not to be sent or kept any more, in batches that delay nobody, one at a time. */
export function startSweeping(db: Db, log: Log, delays: readonly number[]): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const startedAt = performance.now()
  const dueAt = new Map(
    [...chores, heedClock(db, delays)].map(chore => [chore, startedAt + Math.min(chore.every, 1_000)]),
  )

  async function perform(chore: Chore): Promise<void> {
    const begunAt = performance.now()
    const count = await inTime(chore.run(db, chore.batch), longest).catch((error: unknown) => {
      log.warn({ err: error }, 'Could not sweep webhook deliveries; trying again')
      return 0
    })
    const endedAt = performance.now()
    const rest = restAfter(endedAt - begunAt)
    dueAt.set(chore, endedAt + (count >= chore.batch ? rest : Math.max(chore.every, rest)))
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rest = Math.min(...dueAt.values()) - performance.now()
      await pause(Math.max(rest, 0), null, { signal: stopping.signal }).catch(() => {})
      for (const [chore, time] of dueAt) {
        if (time <= performance.now() && !stopping.signal.aborted) await perform(chore)
      }
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
