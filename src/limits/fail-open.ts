import type { Log } from '../core/log.ts'
import type { CounterStore, RequestCounter } from './store.ts'

export interface FailOpenOptions {
  log: Log
  /** Milliseconds that a request waits for its count. */
  patience?: number
  /** Milliseconds between two looks whether a store that failed is back. */
  pause?: number
}

const maxFailures = 3
const startTimeoutMs = 1_000

/** The answer, or an error when it takes longer. */
export function rejectAfter<T>(ms: number, asked: T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const giveUp = () => reject(new Error(`no answer within ${ms} ms`))
  // One turn more: the answer may have come while this process was busy, and counts.
  const timer = setTimeout(() => setImmediate(giveUp), ms)
  Promise.resolve(asked)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer))
  return promise
}

/**
 * A store that fails or hangs limits nobody. After some failures in a row no request waits for it any more: it is asked
 * aside until it answers.
 */
export async function failOpen(
  store: CounterStore,
  { log, patience = 30, pause = 2_000 }: FailOpenOptions,
): Promise<RequestCounter> {
  let failures = 0
  let isAway = false
  let timer: NodeJS.Timeout

  const ask = async (bucket: string) => rejectAfter(patience, store.hit(bucket))
  const probeLater = () => {
    timer = setTimeout(probe, pause).unref()
  }

  async function probe(): Promise<void> {
    try {
      await ask('probe')
      isAway = false
      failures = 0
      log.info('The counters of the rate limits answer again; requests are limited')
    } catch {
      probeLater()
    }
  }

  // Only the words: what Redis throws may hold its password.
  function leave({ message }: Error): void {
    if (isAway) return
    isAway = true
    log.warn(
      `The counters of the rate limits do not answer (${message}); requests are not limited until they do`,
    )
    probeLater()
  }

  await rejectAfter(startTimeoutMs, store.open()).catch(leave)
  return {
    async hit(bucket) {
      if (isAway) return null
      try {
        const window = await ask(bucket)
        failures = 0
        return window
      } catch (error) {
        if (++failures >= maxFailures) leave(error as Error)
        return null
      }
    },
    async close() {
      clearTimeout(timer)
      await store.close()
    },
  }
}
