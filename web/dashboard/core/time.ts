import { dates, distances, printNumber } from './format.ts'

/**
 * Formats times in the language of the page. All functions take times of the API, which are in UTC, mostly
 * without a zone.
 */

/** Times of the API have no zone, and are in UTC. */
export const dateOf = (time: string): Date => new Date(/[zZ]$|[+-]\d\d:?\d\d$/.test(time) ? time : `${time}Z`)

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "5 minutes ago" or "in 2 days"; "now" below a minute. */
export function ago(time: string, now = Date.now()): string {
  const seconds = (dateOf(time).getTime() - now) / 1000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 0]
  return distances({ numeric: 'auto', style: 'short' }).format(
    size ? Math.trunc(seconds / size) : 0,
    unit as Intl.RelativeTimeFormatUnit,
  )
}

/** How long ago, in a few letters: "5m", "2h" or "3d". At least a minute. */
export function duration(since: string, now = Date.now()): string {
  const seconds = Math.max(60, (now - dateOf(since).getTime()) / 1_000)
  const [unit, size] = steps.find(([name, size]) => isShort(name) && seconds >= size)!
  return printNumber(Math.floor(seconds / size), { style: 'unit', unit, unitDisplay: 'narrow' })
}

const isShort = (unit: Intl.RelativeTimeFormatUnit) => ['day', 'hour', 'minute'].includes(unit)

/** The full date and time, for a tooltip. */
export const moment = (time: string): string =>
  dates({ dateStyle: 'medium', timeStyle: 'short' }).format(dateOf(time))

export const day = (time: string): string => dates({ dateStyle: 'medium' }).format(dateOf(time))

/** The time for today, the day within this year, otherwise the date. */
export function brief(time: string, now = new Date()): string {
  const then = dateOf(time)
  const isToday = then.toDateString() === now.toDateString()
  const isThisYear = then.getFullYear() === now.getFullYear()
  const shape: Intl.DateTimeFormatOptions = isToday
    ? { hour: 'numeric', minute: '2-digit' }
    : { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) }
  return dates(shape).format(then)
}

/** The time of day. */
export const hour = (time: string): string =>
  dates({ hour: 'numeric', minute: '2-digit' }).format(dateOf(time))

/** The value of a `datetime-local` field, in the reader's time zone. */
export function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
