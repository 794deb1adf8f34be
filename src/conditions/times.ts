import { parseTime } from '../core/time.ts'

/** The times that conditions compare with. A date is a day in the project's time zone. */

/** From a time on, until before another one. */
export interface TimeRange {
  from: string | null
  until: string | null
}

/** When and where a condition is evaluated. */
export interface Moment {
  /** Milliseconds since 1970. */
  at: number
  zone: string
}

const duration =
  /^P(?=\d|T\d)(?:\d{1,4}Y)?(?:\d{1,5}M)?(?:\d{1,5}W)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?$/
const dateOnly = /^\d{4}-\d{2}-\d{2}$/

export const readDuration = (text: string): Temporal.Duration | null =>
  duration.test(text) ? Temporal.Duration.from(text) : null

const [earliest, latest] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'].map(text =>
  Temporal.Instant.from(text),
)

/** The years that the database and the API accept. */
function clamp(instant: Temporal.Instant): Temporal.Instant {
  if (Temporal.Instant.compare(instant, earliest!) < 0) return earliest!
  return Temporal.Instant.compare(instant, latest!) > 0 ? latest! : instant
}

/** A time as it is stored: UTC without a suffix, with six digits after the second. */
const print = (instant: Temporal.Instant): string =>
  clamp(instant).toString({ fractionalSecondDigits: 6 }).slice(0, -1)

const printDay = (day: Temporal.PlainDate): string =>
  print(day.toZonedDateTime({ timeZone: 'UTC' }).toInstant()).slice(0, 10)

const startOf = (date: Temporal.PlainDate, zone: string): string =>
  print(date.toZonedDateTime({ timeZone: zone }).toInstant())

/** The first time of a day, or the time itself. */
const beginOf = (text: string, zone: string): string =>
  dateOnly.test(text) ? startOf(Temporal.PlainDate.from(text), zone) : parseTime(text)!

/** The first time after a day, or the time itself. */
const endOf = (text: string, zone: string): string =>
  dateOnly.test(text) ? startOf(Temporal.PlainDate.from(text).add({ days: 1 }), zone) : parseTime(text)!

const nowIn = ({ at, zone }: Moment): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/** The time that was this long ago. Years, months and days follow the calendar of the zone. */
const timeBefore = (moment: Moment, text: string): Temporal.ZonedDateTime =>
  nowIn(moment).subtract(readDuration(text)!)

/** The range of times for which the operator is true. */
export function timeRangeOf(op: string, value: unknown, moment: Moment): TimeRange {
  const { zone } = moment
  const [first, last] = [value].flat().map(String)
  if (op === 'before') return { from: null, until: beginOf(first!, zone) }
  if (op === 'after') return { from: beginOf(first!, zone), until: null }
  if (op === 'between') return { from: beginOf(first!, zone), until: endOf(last!, zone) }
  const then = print(timeBefore(moment, first!).toInstant())
  return op === 'within_last'
    ? { from: then, until: print(nowIn(moment).toInstant()) }
    : { from: null, until: then }
}

/** The day of a time in the zone, or the date itself. */
function dayOf(text: string, zone: string): Temporal.PlainDate {
  if (dateOnly.test(text)) return Temporal.PlainDate.from(text)
  return Temporal.Instant.from(`${parseTime(text)}Z`)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
}

const dayAfter = (day: Temporal.PlainDate): string => printDay(day.add({ days: 1 }))

/** The same for a custom field whose values are dates. */
export function dateRangeOf(op: string, value: unknown, moment: Moment): TimeRange {
  const [first, last] = [value].flat().map(String)
  const dayIn = (text: string) => dayOf(text, moment.zone)
  if (op === 'before') return { from: null, until: printDay(dayIn(first!)) }
  if (op === 'after') return { from: printDay(dayIn(first!)), until: null }
  if (op === 'between') return { from: printDay(dayIn(first!)), until: dayAfter(dayIn(last!)) }
  const then = printDay(timeBefore(moment, first!).toPlainDate())
  const tomorrow = dayAfter(nowIn(moment).toPlainDate())
  return op === 'within_last' ? { from: then, until: tomorrow } : { from: null, until: then }
}
