import { ApiError } from '../core/errors.ts'

/** The Retry-After of a refused connection, in seconds. */
const retryAfterSeconds = 5

export interface ConnectionLimits {
  /** The limit for one holder, such as a key or a person. */
  perHolder: number
  total: number
  /** The reason given in the error when the limit is reached. */
  reason: string
}

/** Limits the connections that are open at the same time, per holder and in total. */
export class ConnectionQuota {
  readonly #bounds: ConnectionLimits
  readonly #usedByHolder = new Map<string, number>()
  #count = 0

  constructor(bounds: ConnectionLimits) {
    this.#bounds = bounds
  }

  acquire(holder: string): void {
    const { perHolder, total } = this.#bounds
    const used = this.#usedByHolder.get(holder) ?? 0
    if (used >= perHolder) throw this.#refusal(perHolder)
    if (this.#count >= total) throw this.#refusal(total)
    this.#usedByHolder.set(holder, used + 1)
    this.#count++
  }

  get used(): number {
    return this.#count
  }

  release(holder: string): void {
    const left = this.#usedByHolder.get(holder)! - 1
    if (left) this.#usedByHolder.set(holder, left)
    else this.#usedByHolder.delete(holder)
    this.#count--
  }

  #refusal(limit: number): ApiError {
    return new ApiError(
      'RATE_LIMIT_EXCEEDED',
      { retry_after: retryAfterSeconds, reason: this.#bounds.reason, limit },
      { 'retry-after': String(retryAfterSeconds) },
    )
  }
}
