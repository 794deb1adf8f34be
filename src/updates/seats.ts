import type { Config } from '../core/config.ts'
import { ApiError } from '../core/errors.ts'

/** Seconds after which somebody who found no seat may try again. */
const retryAfter = 5

/** How many may wait at one time, with one key and in all. */
export class Seats {
  readonly #perKey: number
  readonly #inAll: number
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor({ waitingPerKey, waitingPerProcess }: Pick<Config, 'waitingPerKey' | 'waitingPerProcess'>) {
    this.#perKey = waitingPerKey
    this.#inAll = waitingPerProcess
  }

  take(keyId: string): void {
    const taken = this.#taken.get(keyId) ?? 0
    if (taken >= this.#perKey) throw noSeat(this.#perKey)
    if (this.#count >= this.#inAll) throw noSeat(this.#inAll)
    this.#taken.set(keyId, taken + 1)
    this.#count++
  }

  free(keyId: string): void {
    const left = this.#taken.get(keyId)! - 1
    if (left) this.#taken.set(keyId, left)
    else this.#taken.delete(keyId)
    this.#count--
  }
}

const noSeat = (limit: number): ApiError =>
  new ApiError(
    'RATE_LIMIT_EXCEEDED',
    { retry_after: retryAfter, reason: 'too_many_waiting', limit },
    { 'retry-after': String(retryAfter) },
  )
