import { counter } from '../core/telemetry/metrics.ts'
import type { Storage } from './storage.ts'

const failures = counter(
  'deskbell_storage_failures_total',
  'File reads, writes and removals that failed on the disk or in a bucket',
  'operation',
  ['read', 'write', 'remove'],
)

/** Milliseconds. */
const failureMemoryMs = 5 * 60_000

let failedAt = Number.NEGATIVE_INFINITY

/** Whether a file could not be read, written or removed in the last five minutes. */
export const hasFailed = (): boolean => performance.now() - failedAt < failureMemoryMs

/** Wraps a storage to report its failures in the metrics and at /readyz. */
export const countFailures = (storage: Storage): Storage => ({
  ...storage,
  read: (key, range) => count('read', storage.read(key, range)),
  remove: key => count('remove', storage.remove(key)),
  async write(key, content, isGivenAway) {
    let isBrokenOff = false
    // An upload that the client cancels is not a failure of the storage.
    async function* watch() {
      try {
        yield* content
      } catch (error) {
        isBrokenOff = true
        throw error
      }
    }
    const writing = storage.write(key, watch(), isGivenAway)
    await count('write', writing, () => !isBrokenOff)
  },
})

async function count<T>(operation: keyof typeof failures, work: Promise<T>, isOurs = () => true): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isOurs()) {
      failures[operation]++
      failedAt = performance.now()
    }
    throw error
  }
}
