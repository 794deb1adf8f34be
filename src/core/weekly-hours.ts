import Type, { type Static } from 'typebox'
import { text } from './schema.ts'

/** Hours that repeat every week, in a time zone. */

const clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$', examples: ['09:00'] })

export const hours = Type.Object({
  timezone: text(64, { examples: ['Europe/Berlin'] }),
  days: Type.Array(
    Type.Object({
      day: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
      from: clock,
      to: { ...clock, description: 'On the next day if it is before `from`' },
    }),
    { maxItems: 28 },
  ),
})
export type Hours = Static<typeof hours>

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const minuteMs = 60_000
const dayMinutes = 24 * 60

/** The day of the week (1 is Monday) and the minute of the day. */
function readClock(at: number, timeZone: string): { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return {
    day: days.indexOf(parts.get('weekday')!) + 1,
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

type Span = Hours['days'][number]

/** A span that ends before it begins continues until the next day. */
function isWithin({ day: begins, ...span }: Span, day: number, minute: number): boolean {
  const [from, to] = [minutesOf(span.from), minutesOf(span.to)]
  if (from < to) return begins === day && from <= minute && minute < to
  return from > to && ((begins === day && from <= minute) || ((begins % 7) + 1 === day && minute < to))
}

export function isOpenAt({ timezone, days: open }: Hours, at: number): boolean {
  const { day, minute } = readClock(at, timezone)
  return open.some(span => isWithin(span, day, minute))
}

/** The next opening time; null if there is none. */
export function nextOpening({ timezone, days: open }: Hours, at: number): number | null {
  const { day, minute } = readClock(at, timezone)
  const start = Math.floor(at / minuteMs) * minuteMs
  const waits = open
    .filter(({ from, to }) => from !== to)
    .map(
      one =>
        (((one.day - day + 7) % 7) * dayMinutes + minutesOf(one.from) - minute + 7 * dayMinutes) %
        (7 * dayMinutes),
    )
    .map(wait => wait || 7 * dayMinutes)
  if (waits.length === 0) return null
  const wait = Math.min(...waits)
  const guess = start + wait * minuteMs
  // A change to or from daylight saving time in between moves the opening time by as much.
  const drift =
    ((readClock(guess, timezone).minute - ((minute + wait) % dayMinutes) + 1.5 * dayMinutes) % dayMinutes) -
    dayMinutes / 2
  return guess - drift * minuteMs
}
