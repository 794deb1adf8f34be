import { setTimeout as pause } from 'node:timers/promises'
import { inTime } from '../core/async/in-time.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { statementTimeoutMs } from './queue.ts'
import { type DeliveryResult, recordResults } from './record.ts'

const maxBatchSize = 200

/** Outcomes of this time are written together. Otherwise quick targets would cause a statement for each delivery. */
const collectMs = 10
const pauseAfterErrorMs = 500

/** Milliseconds after which a waiting outcome is in danger of being written after its lease has ended. */
const maxWaitMs = 2_000

export interface ResultWriter {
  add(settled: DeliveryResult): void
  /** Resolves when everything added is written. */
  idle(): Promise<void>
  isIdle(): boolean
  /** Whether outcomes have waited so long, or could not be written, that their deliveries may look due again. */
  isBehind(): boolean
  /** Gives up outcomes that cannot be written. */
  stop(): void
}

type Waiting = DeliveryResult & { endedAt: number }

/** A failed delivery is written alone, because it and a success of the same subscription must be counted in order. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const firstFailed = waiting.findIndex(one => one.status === 'failed')
  const end = firstFailed === -1 ? waiting.length : Math.max(firstFailed, 1)
  return waiting.splice(0, Math.min(end, maxBatchSize))
}

/** The pause before the next attempt starts at the end of this one, however long it takes to write the outcome. */
const fromEnd = ({ endedAt, ...settled }: Waiting): DeliveryResult => ({
  ...settled,
  pause: settled.pause === null ? null : settled.pause - (performance.now() - endedAt),
})

/** Writes the outcomes of attempts. Those that end while a statement runs share the next one. A failed write is repeated until it succeeds. */
export function createResultWriter(db: Db, log: Log): ResultWriter {
  const waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let writing: Waiting[] = []
  let isStopped = false
  let isFailing = false

  async function write(batch: Waiting[]): Promise<void> {
    while (!isStopped) {
      try {
        await inTime(recordResults(db, batch.map(fromEnd)), statementTimeoutMs)
        return
      } catch (error) {
        isFailing = true
        log.warn({ err: error }, 'Could not write the outcomes of webhook deliveries; will retry')
        await pause(pauseAfterErrorMs)
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length) {
      await pause(collectMs)
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
      running ??= run()
    },
    idle: async () => {
      while (running) await running
    },
    isIdle: () => running === null,
    isBehind: () =>
      isFailing || performance.now() - (writing[0]?.endedAt ?? Number.POSITIVE_INFINITY) > maxWaitMs,
    stop: () => {
      isStopped = true
    },
  }
}
