/** A fixed window: it opens with the first request in it and holds for a minute. */

const length = 60_000

export interface Verdict {
  isOver: boolean
  /** Whole seconds until the window reopens; waiting them always suffices. */
  retryAfter: number
}

interface Window {
  count: number
  ends: number
}

const free: Verdict = { isOver: false, retryAfter: 0 }

export interface Limiter {
  count(bucket: string, budget: number): Verdict
  stop(): void
}

export function createLimiter(clock: () => number = () => performance.now()): Limiter {
  const windows = new Map<string, Window>()
  const sweep = setInterval(() => {
    const now = clock()
    for (const [bucket, window] of windows) if (window.ends <= now) windows.delete(bucket)
  }, length).unref()
  return {
    count(bucket, budget) {
      const now = clock()
      let window = windows.get(bucket)
      if (!window || window.ends <= now) {
        window = { count: 0, ends: now + length }
        windows.set(bucket, window)
      }
      window.count++
      if (window.count <= budget) return free
      return { isOver: true, retryAfter: Math.max(1, Math.ceil((window.ends - now) / 1000)) }
    },
    stop: () => clearInterval(sweep),
  }
}
