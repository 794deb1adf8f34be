/** A fixed window: it opens with the first request in it and lasts a minute. */
export const windowLength = 60_000

export interface Window {
  /** Requests in it so far, this one included. */
  count: number
  /** Milliseconds until it ends; who waits them finds a new one. */
  rest: number
}

/** Counts requests; null instead of a count when that is not possible. */
export interface RequestCounter {
  hit(bucket: string): Window | null | Promise<Window | null>
  close(): Promise<void>
}

/** Where requests are counted: of one process, or of all that share it. What it does rejects when it is unavailable. */
export interface CounterStore extends RequestCounter {
  /** Counts one request; the window opens with it when none is open. */
  hit(bucket: string): Window | Promise<Window>
  /** Resolves when it can be asked. */
  open(): Promise<void>
}
