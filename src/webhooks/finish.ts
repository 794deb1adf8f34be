import type { Db } from '../core/db.ts'
import { inTime } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
import { longestStatement, type Settled, settle } from './claim.ts'

const largestBatch = 200
const pauseAfterError = 500

/** An outcome that has waited so long may soon outlive its claim. */
const longestWait = 2_000

export interface Finisher {
  add(settled: Settled): void
  /** Resolves when everything added is written. */
  idle(): Promise<void>
  isIdle(): boolean
  /** Whether outcomes wait so long, or could not be written, that what they belong to may look due again. */
  isBehind(): boolean
  /** Gives up what cannot be written. */
  stop(): void
}

type Waiting = Settled & { endedAt: number }

/** A failed delivery goes alone: it and a success of the same subscription must count in their order. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const firstFailed = waiting.findIndex(one => one.status === 'failed')
  const end = firstFailed === -1 ? waiting.length : Math.max(firstFailed, 1)
  return waiting.splice(0, Math.min(end, largestBatch))
}

/** The pause to the next attempt runs from the end of this one, however long writing that down took. */
const fromEnd = ({ endedAt, ...settled }: Waiting): Settled => ({
  ...settled,
  pause: settled.pause === null ? null : settled.pause - (performance.now() - endedAt),
})

/** Writes how attempts ended: those that end while a statement runs share the next one. Tries again until it could. */
export function createFinisher(db: Db, log: Log): Finisher {
  const waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let writing: Waiting[] = []
  let isStopped = false
  let isFailing = false

  async function write(batch: Waiting[]): Promise<void> {
    while (!isStopped) {
      try {
        await inTime(settle(db, batch.map(fromEnd)), longestStatement)
        return
      } catch (error) {
        isFailing = true
        log.warn({ err: error }, 'Could not write how webhook deliveries ended; trying again')
        await new Promise(resolve => setTimeout(resolve, pauseAfterError))
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length) {
      writing = takeBatch(waiting)
      await write(writing)
    }
    writing = []
    running = null
    isFailing = false
  }

  return {
    add(settled) {
      waiting.push({ ...settled, endedAt: performance.now() })
      running ??= new Promise(resolve => setImmediate(() => run().then(resolve)))
    },
    idle: async () => {
      while (running) await running
    },
    isIdle: () => running === null,
    isBehind: () =>
      isFailing || performance.now() - (writing[0]?.endedAt ?? Number.POSITIVE_INFINITY) > longestWait,
    stop: () => {
      isStopped = true
    },
  }
}
