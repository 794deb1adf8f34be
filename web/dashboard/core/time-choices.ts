import { dates } from './format.ts'
import { text } from './text.ts'

/** Times that people choose, in the time zone of their browser. */

const morning = 9

export function timeIn(days: number, hour: number, from = new Date()): Date {
  const date = new Date(from)
  date.setDate(date.getDate() + days)
  date.setHours(hour, 0, 0, 0)
  return date
}

const daysUntil = (weekday: number, from: Date): number => (weekday - from.getDay() + 7) % 7 || 7

function laterToday(now: Date): [string, Date][] {
  if (now.getHours() < 14) return [[text.time.afternoon, timeIn(0, 15, now)]]
  return now.getHours() < 17 ? [[text.time.evening, timeIn(0, 18, now)]] : []
}

/** The usual choices, soonest first. */
export function listPresets(now = new Date()): [label: string, time: Date][] {
  const untilMonday = daysUntil(1, now)
  return [
    [text.time.inAnHour, new Date(now.getTime() + 3_600_000)],
    ...laterToday(now),
    [text.time.tomorrow, timeIn(1, morning, now)],
    ...(untilMonday > 1 ? [[text.time.monday, timeIn(untilMonday, morning, now)] as [string, Date]] : []),
    [text.time.month, timeIn(30, morning, now)],
  ]
}

/** "Mon, Nov 30, 9:00 AM" */
export const printTime = (time: Date): string =>
  dates({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }).format(time)

export const zoneName = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const minutesOf = { minutes: 1, hours: 60, days: 1_440, weeks: 10_080 }

/** "2h", "3 days" */
function readAmount(words: string[], now: Date): Date | null {
  const [, amount = '', name = ''] = /^(\d{1,3})\s?(\p{L}+)$/u.exec(words.join(' ')) ?? []
  for (const unit of ['minutes', 'hours', 'days', 'weeks'] as const)
    if (text.time.words[unit].includes(name))
      return new Date(now.getTime() + Number(amount) * minutesOf[unit] * 60_000)
  return null
}

/** "10", "10:30", "4pm" */
function readTimeOfDay(words: string[]): [hours: number, minutes: number] | null {
  if (words.length === 0) return [morning, 0]
  const [all, hour = '', minutes = '0', half] =
    /^(\d{1,2})(?:[:.](\d{2}))?\s?([ap]m)?$/.exec(words.join(' ')) ?? []
  if (all === undefined) return null
  const hours = half ? (Number(hour) % 12) + (half === 'pm' ? 12 : 0) : Number(hour)
  return hours < 24 && Number(minutes) < 60 ? [hours, Number(minutes)] : null
}

/** The names of weekdays from Sunday, or of months, in the language of the page. The first three letters are enough. */
const listNames = (shape: Intl.DateTimeFormatOptions, count: number, at: (n: number) => Date): string[] =>
  Array.from({ length: count }, (_, n) => dates(shape).format(at(n)).toLocaleLowerCase())

const findName = (names: string[], word = ''): number =>
  word.length < 3 ? -1 : names.findIndex(name => name.startsWith(word))

/** "24 dec" or "dec 24": the next day with this name. */
function readMonthDay(first: string, second: string, now: Date): Date | null {
  const months = listNames({ month: 'long' }, 12, n => new Date(2024, n, 1))
  for (const [month, day] of [
    [second, first],
    [first, second],
  ] as const) {
    const at = findName(months, month)
    if (at < 0 || !/^\d{1,2}$/.test(day)) continue
    const date = new Date(now.getFullYear(), at, Number(day))
    if (timeIn(1, 0, date) <= now) date.setFullYear(date.getFullYear() + 1)
    return date
  }
  return null
}

/** The day at the beginning of the words, and how many words it takes. Today if there is none. */
function readDay([first = '', second = '']: string[], now: Date): [day: Date, words: number] {
  if (/^\d{4}-\d{2}-\d{2}$/.test(first)) return [new Date(`${first}T00:00`), 1]
  if (text.time.words.today.includes(first)) return [now, 1]
  if (text.time.words.tomorrow.includes(first)) return [timeIn(1, 0, now), 1]
  const weekday = findName(
    listNames({ weekday: 'long' }, 7, n => new Date(2024, 0, 7 + n)),
    first,
  )
  if (weekday >= 0) return [timeIn(daysUntil(weekday, now), 0, now), 1]
  const day = readMonthDay(first, second, now)
  return day ? [day, 2] : [now, 0]
}

/** The time that somebody types, such as "2h", "fri 10:00" or "24 dec"; null if it is not a time in the future. */
export function readTime(typed: string, now = new Date()): Date | null {
  const words = typed
    .trim()
    .toLocaleLowerCase()
    .split(/[\s,]+/)
    .filter(word => word && !text.time.words.ignored.includes(word))
  if (words.length === 0) return null
  const [day, used] = readDay(words, now)
  const time = readTimeOfDay(words.slice(used))
  if (!time) return used === 0 ? readAmount(words, now) : null
  const at = new Date(day)
  at.setHours(...time, 0, 0)
  if (used === 0 && at <= now) at.setDate(at.getDate() + 1)
  return at > now ? at : null
}
