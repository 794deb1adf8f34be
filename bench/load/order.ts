/** Requests of one kind, whole, and how often they come beside the others. */
export interface Kind {
  name: string
  share: number
  requests: string[]
}

export interface Order {
  port: number
  /** Requests a second. */
  rate: number
  seconds: number
  /** How many there may be; a call that finds none free waits for one. */
  connections: number
  /** Milliseconds after which a caller goes away. */
  patience: number
  kinds: Kind[]
}

export interface Seen {
  planned: number
  /** Answers 2xx to callers who were still there. */
  good: number
  /** The same, of each second until the last of them. */
  perSecond: number
  /** Answers 429 and 503. */
  refused: number
  /** Other answers, and connections that broke. */
  failed: number
  /** Callers who went away. */
  left: number
  p50: number
  p99: number
  max: number
}

export interface Report {
  all: Seen
  kinds: Record<string, Seen>
  /** How late requests were sent: what the load itself adds. */
  lateP99: number
  /** Share of one core that the load used. */
  cpu: number
}

export const now = () => performance.timeOrigin + performance.now()

/** Where a request says when it was sent, as long as what takes its place. */
export const stamp = '0000000000000.000'

export const clock = () => now().toFixed(3)
