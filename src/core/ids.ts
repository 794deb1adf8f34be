import { randomUUIDv7 } from 'node:crypto'
import { currentTime, isShifted } from './time.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** UUIDv7: ids increase with time. If the clock of this machine is wrong, the database's time is used. */
export function newId(): string {
  const id = randomUUIDv7()
  return isShifted() ? firstIdOf(currentTime()).slice(0, 13) + id.slice(13) : id
}

/** The lowest id that can be created at this time, in milliseconds since 1970. */
export function firstIdOf(ms: number): string {
  const hex = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Accepts only our own spelling. Anything else in a path is an id that does not exist. */
export const isId = (text: string): boolean => uuid.test(text)

/** An event's id as the envelope prints it: 32 hex characters. */
export const bareId = (id: string): string => id.replaceAll('-', '')
