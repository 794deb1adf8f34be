import { ApiError } from '../core/errors.ts'

/** Seconds after which somebody who found no seat may try again. */
const retryAfter = 5

export interface Bounds {
  /** How many one holder may have at one time. */
  each: number
  inAll: number
  /** The word in the error that tells why there is none. */
  reason: string
}

/** How many may wait at one time, with one key or as one person, and in all. */
export class Seats {
  readonly #bounds: Bounds
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  take(holder: string): void {
    const { each, inAll } = this.#bounds
    const taken = this.#taken.get(holder) ?? 0
    if (taken >= each) throw this.#noSeat(each)
    if (this.#count >= inAll) throw this.#noSeat(inAll)
    this.#taken.set(holder, taken + 1)
    this.#count++
  }

  get taken(): number {
    return this.#count
  }

  free(holder: string): void {
    const left = this.#taken.get(holder)! - 1
    if (left) this.#taken.set(holder, left)
    else this.#taken.delete(holder)
    this.#count--
  }

  #noSeat(limit: number): ApiError {
    return new ApiError(
      'RATE_LIMIT_EXCEEDED',
      { retry_after: retryAfter, reason: this.#bounds.reason, limit },
      { 'retry-after': String(retryAfter) },
    )
  }
}
