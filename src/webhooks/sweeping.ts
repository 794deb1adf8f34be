import type { Db } from '../core/db.ts'
import type { Log } from '../core/log.ts'
import { cancelDue, eraseHistory, eraseOld, eraseQueue, eraseWebhooks } from './sweep.ts'

interface Chore {
  every: number
  /** Rows in one statement; a full one is followed by another after a short pause. */
  batch: number
  run(db: Db, batch: number): Promise<number>
}

const chores: Chore[] = [
  { every: 250, batch: 500, run: cancelDue },
  { every: 1_000, batch: 5_000, run: eraseQueue },
  { every: 1_000, batch: 5_000, run: eraseHistory },
  { every: 60_000, batch: 1_000, run: eraseOld },
  { every: 60_000, batch: Number.POSITIVE_INFINITY, run: eraseWebhooks },
]

const pauseBetween = 50

/** Takes away what is not to be sent or kept any more, in batches that delay nobody. */
export function startSweeping(db: Db, log: Log): { stop(): Promise<void> } {
  let isStopped = false
  const timers = new Map<Chore, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  async function perform(chore: Chore): Promise<void> {
    const count = await chore.run(db, chore.batch).catch((error: unknown) => {
      log.warn({ err: error }, 'Could not sweep webhook deliveries; trying again')
      return 0
    })
    if (!isStopped) plan(chore, count >= chore.batch ? pauseBetween : chore.every)
  }

  function plan(chore: Chore, delay: number): void {
    const begin = () => {
      const run = perform(chore).finally(() => running.delete(run))
      running.add(run)
    }
    timers.set(chore, setTimeout(begin, delay))
  }

  for (const chore of chores) plan(chore, Math.min(chore.every, 1_000))
  return {
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
