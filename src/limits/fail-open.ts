import type { Log } from '../core/telemetry/log.ts'
import { errorOf } from '../core/thrown.ts'
import type { CounterStore, RequestCounter } from './store.ts'

export interface FailOpenOptions {
  log: Log
  /** Milliseconds that a request waits for its count. */
  patience?: number
  /** Milliseconds between two checks whether a failed store is back. */
  pause?: number
  /** Milliseconds that the start waits for the store. */
  startTimeout?: number
}

const maxFailures = 3
const startTimeoutMs = 1_000

/** The result, or an error if it takes longer. */
export function rejectAfter<T>(ms: number, asked: T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const giveUp = () => reject(new Error(`no answer within ${ms} ms`))
  // Waits one more turn of the event loop, because the response may have arrived while this process was busy.
  const timer = setTimeout(() => setImmediate(giveUp), ms)
  Promise.resolve(asked)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer))
  return promise
}

/**
 * If the store fails or hangs, nobody is limited. After several failures in a row, requests do not wait for it any more. It is checked
 * in the background until it responds.
 */
export async function failOpen(
  store: CounterStore,
  { log, patience = 30, pause = 2_000, startTimeout = startTimeoutMs }: FailOpenOptions,
): Promise<RequestCounter> {
  let failures = 0
  let isUnavailable = false
  let timer: NodeJS.Timeout

  const ask = async (bucket: string) => rejectAfter(patience, store.hit(bucket))
  const probeLater = () => {
    timer = setTimeout(probe, pause).unref()
  }

  async function probe(): Promise<void> {
    try {
      await ask('probe')
      isUnavailable = false
      failures = 0
      log.info('The counters of the rate limits answer again; requests are limited')
    } catch {
      probeLater()
    }
  }

  // Only the message, because the error object of Redis may contain the password.
  function markUnavailable({ message }: Error): void {
    if (isUnavailable) return
    isUnavailable = true
    log.warn(
      `The counters of the rate limits do not answer (${message}); requests are not limited until they do`,
    )
    probeLater()
  }

  await rejectAfter(startTimeout, store.open()).catch(markUnavailable)
  return {
    async hit(bucket) {
      if (isUnavailable) return null
      try {
        const window = await ask(bucket)
        failures = 0
        return window
      } catch (error) {
        if (++failures >= maxFailures) markUnavailable(errorOf(error))
        return null
      }
    },
    async close() {
      clearTimeout(timer)
      await store.close()
    },
  }
}
