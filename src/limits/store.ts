/** A fixed window: it opens with the first request in it and lasts a minute. */
export const windowLength = 60_000

export interface Window {
  /** Requests in the window so far, including this one. */
  count: number
  /** Milliseconds until it ends. After that, there is a new one. */
  rest: number
}

/** Counts requests. Returns null if counting is not possible. */
export interface RequestCounter {
  hit(bucket: string): Window | null | Promise<Window | null>
  close(): Promise<void>
}

/** Counters of one process, or of all that share them. Rejects if the store is unavailable. */
export interface CounterStore extends RequestCounter {
  /** Counts a request, and opens a window if none is open. */
  hit(bucket: string): Window | Promise<Window>
  /** Resolves when the store is ready. */
  open(): Promise<void>
}
