import { ApiError } from '../core/errors.ts'

/** Seconds after which somebody who found no seat may try again. */
const retryAfterSeconds = 5

export interface ConnectionLimits {
  /** How many one holder may have at one time. */
  perHolder: number
  total: number
  /** The word in the error that tells why there is none. */
  reason: string
}

/** How many may wait at one time, with one key or as one person, and in all. */
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
