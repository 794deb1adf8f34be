import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../core/db.ts'
import { inTime } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
import { pauseAfter } from '../core/pacing.ts'
import type { Backlog } from './backlog.ts'
import type { Clock } from './clock.ts'
import { drawNear, putOff } from './leap.ts'
import type { Seen } from './look.ts'
import { noteMissingDeliveries } from './next-due.ts'
import { cancelDue, eraseHistory, eraseOld, eraseOrphans, eraseQueue, eraseWebhooks } from './sweep.ts'

interface Chore {
  every: number
  /** Rows in one statement; a full one is followed by another after a rest. */
  batch: number
  run(db: Db, batch: number): Promise<number>
}

/** The first three concern subscriptions that a look has seen: they ask nothing while it sees none. */
const choresOf = ({ seen }: Backlog): Chore[] => [
  { every: 250, batch: 500, run: (db, batch) => cancelDue(db, seen().filter(cancels), batch) },
  { every: 1_000, batch: 1_000, run: (db, batch) => eraseQueue(db, seen().filter(isDeleted), batch) },
  { every: 1_000, batch: 1_000, run: (db, batch) => eraseHistory(db, seen().filter(isDeleted), batch) },
  { every: 60_000, batch: Number.POSITIVE_INFINITY, run: noteMissingDeliveries },
  { every: 60_000, batch: 1_000, run: eraseOrphans },
  { every: 60_000, batch: 1_000, run: eraseOld },
  { every: 60_000, batch: Number.POSITIVE_INFINITY, run: eraseWebhooks },
]

const cancels = (one: Seen): boolean => one.cancels && !one.is_deleted
const isDeleted = (one: Seen): boolean => one.is_deleted

/** Looks whether the clock was set, and then mends what that has put off or made due. */
function heedClock(db: Db, delays: readonly number[], clock: Clock): Chore {
  let mend: ((limit: number) => Promise<number>) | null = null
  return {
    every: 1_000,
    batch: 1_000,
    async run(_, batch) {
      if (!mend) {
        const leap = await clock.look()
        if (!leap) return 0
        mend = leap.by > 0 ? putOff(db, delays, leap) : limit => drawNear(db, delays, limit)
      }
      const count = await mend(batch)
      if (count < batch) {
        await noteMissingDeliveries(db)
        mend = null
        clock.believe()
      }
      return count
    },
  }
}

/** Statements end after 9 s; what takes longer has lost its connection. */
const longest = 13_000

interface Sweeping {
  db: Db
  log: Log
  clock: Clock
  backlog: Backlog
  /** Milliseconds before each further attempt. */
  delays: readonly number[]
}

/** Takes away what is not to be sent or kept any more, in batches that delay nobody, one at a time. */
export function startSweeping({ db, log, clock, backlog, delays }: Sweeping): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const startedAt = performance.now()
  const dueAt = new Map(
    [heedClock(db, delays, clock), ...choresOf(backlog)].map(chore => [
      chore,
      startedAt + Math.min(chore.every, 1_000),
    ]),
  )

  async function perform(chore: Chore): Promise<void> {
    const begunAt = performance.now()
    const count = await inTime(chore.run(db, chore.batch), longest).catch((error: unknown) => {
      log.warn({ err: error }, 'Could not sweep webhook deliveries; trying again')
      return 0
    })
    const endedAt = performance.now()
    const rest = pauseAfter(endedAt - begunAt)
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
