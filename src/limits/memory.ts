import { type CounterStore, type Window, windowLength } from './store.ts'

/** There may be millions of addresses, and 100,000 windows take about 20 MB. Beyond that, the oldest window is forgotten. */
const maxWindows = 100_000

interface Counter {
  count: number
  ends: number
}

/** All windows have the same length, so they end in the order in which they opened. */
function createWindows(limit: number) {
  const windows = new Map<string, Counter>()

  /** Removes up to two ended windows for each new one, so that no cleanup has to block the process. */
  function removeOldest(now: number): void {
    for (const [bucket, { ends }] of windows.entries().take(2)) {
      if (ends <= now || windows.size >= limit) windows.delete(bucket)
    }
  }

  return (bucket: string, now: number): Window => {
    let window = windows.get(bucket)
    if (!window || window.ends <= now) {
      windows.delete(bucket)
      removeOldest(now)
      window = { count: 0, ends: now + windowLength }
      windows.set(bucket, window)
    }
    window.count++
    return { count: window.count, rest: window.ends - now }
  }
}

/** Counts in this process only. */
export function createMemory(clock: () => number = () => performance.now()): CounterStore {
  const hitAddress = createWindows(maxWindows)
  const hitOther = createWindows(Number.POSITIVE_INFINITY)
  return {
    hit: bucket => (bucket.startsWith('ip:') ? hitAddress : hitOther)(bucket, clock()),
    open: async () => {},
    close: async () => {},
  }
}
