/** Times are text everywhere, because a JavaScript Date would drop the microseconds that the API shows. */

/** Milliseconds by which this machine's clock is behind the database's; 0 while they agree. */
let offsetMs = 0

export const shiftTime = (milliseconds: number): void => {
  offsetMs = milliseconds
}

export const isShifted = (): boolean => offsetMs !== 0

/** Milliseconds since 1970 by the database's clock, for everything that is stored or compared with stored times. */
export const currentTime = (): number => Date.now() + offsetMs

let last = { ms: 0, micro: 0 }

const print = (ms: number, micro: number): string =>
  `${new Date(ms).toISOString().slice(0, -1)}${String(micro).padStart(3, '0')}`

/** The current time in the form of the API: `2026-01-15T10:30:00.123456`, UTC. Each call in a process returns a later time. */
export function now(): string {
  const ms = currentTime()
  const micro = ms === last.ms ? last.micro + 1 : Math.floor((performance.now() * 1000) % 500)
  last = { ms, micro: Math.min(micro, 999) }
  return print(last.ms, last.micro)
}

/** A time some milliseconds from now, in the same form. */
export const timeAfter = (ms: number): string => print(currentTime() + ms, 0)

/** Converts `2026-01-15 10:30:00.1234+00`, as Postgres prints it, to `2026-01-15T10:30:00.123400`. */
export function fromDatabase(text: string): string {
  if (text.endsWith('infinity')) return text
  const whole = text.slice(0, 19).replace(' ', 'T')
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  return `${whole}.${fraction.padEnd(6, '0')}`
}

/** RFC 3339, for other programs: `2026-01-15T10:30:00.123Z`. */
export const isoOf = (time: string): string => `${time.slice(0, 23)}Z`

/** The time for the database. The API form has no offset and means UTC. */
export const toDatabase = (time: string): string => `${time}Z`

export const requestTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

const offsetMinutes = (text: string | undefined): number => {
  if (!text || /z/i.test(text)) return 0
  const sign = text[0] === '-' ? -1 : 1
  return sign * (Number(text.slice(1, 3)) * 60 + Number(text.slice(3).replace(':', '') || 0))
}

/** Reads a time of a request: ISO 8601 with or without offset (none means UTC), or a date. Null if it is not a time. */
export function parseTime(text: string): string | null {
  const parts = requestTime.exec(text)
  if (!parts) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = parts
  const [y, mo, d] = [Number(year), Number(month), Number(day)]
  const [h, mi, s] = [Number(hour), Number(minute), Number(second)]
  const local = new Date(Date.UTC(y, mo - 1, d, h, mi, s))
  local.setUTCFullYear(y)
  if (y < 1 || h > 23 || mi > 59 || s > 59 || local.getUTCMonth() !== mo - 1 || local.getUTCDate() !== d)
    return null
  const micros = fraction.slice(0, 6).padEnd(6, '0')
  const utc = new Date(local.getTime() - offsetMinutes(offset) * 60_000)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return null
  return `${utc.toISOString().slice(0, 19)}.${micros}`
}
