/** Complete requests of one kind, and their share of all. */
export interface Kind {
  name: string
  share: number
  requests: string[]
}

export interface Order {
  port: number
  /** Requests per second. */
  rate: number
  seconds: number
  /** The maximum number of connections. Further calls wait for an idle one. */
  connections: number
  /** Milliseconds after which a caller gives up. */
  patience: number
  kinds: Kind[]
}

export interface Seen {
  planned: number
  /** 2xx responses to callers that had not given up. */
  good: number
  /** The same, for each second until the last one. */
  perSecond: number
  /** Responses 429 and 503. */
  refused: number
  /** Other responses, and broken connections. */
  failed: number
  /** Callers that gave up. */
  left: number
  p50: number
  p99: number
  max: number
}

export interface Report {
  all: Seen
  kinds: Record<string, Seen>
  /** How late requests were sent, which is the delay of the generator. */
  lateP99: number
  /** The share of one core that the generator used. */
  cpu: number
}

export const now = () => performance.timeOrigin + performance.now()

/** The placeholder for the time of sending, which has the same length. */
export const stamp = '0000000000000.000'

export const clock = () => now().toFixed(3)
