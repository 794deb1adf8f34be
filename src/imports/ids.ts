import { randomBytes } from 'node:crypto'
import { firstIdOf } from '../core/ids.ts'

/** Up to this many records with the same time keep their order. */
const maxOrder = 2 ** 14

/**
 * Makes a UUIDv7 for a time in the past, so that ids have the order of their times. `time` has the format of the API. The bits after the
 * milliseconds contain the microseconds and `order`, the position among records with the same time.
 */
export function makeIdAt(time: string, order: number): string {
  const ms = Date.parse(`${time.slice(0, 23)}Z`)
  const micros = Number(time.slice(23, 26)) << 2
  const variant = 0x8000 + (order % maxOrder)
  const beginning = firstIdOf(ms).slice(0, 13)
  const tail = randomBytes(6).toString('hex')
  return `${beginning}-7${micros.toString(16).padStart(3, '0')}-${variant.toString(16)}-${tail}`
}
