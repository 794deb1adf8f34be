import { language } from './text.ts'

/** Formats times in the current language. */

const made = new Map<string, Intl.DateTimeFormat>()

function format(name: string, options: Intl.DateTimeFormatOptions, at: Date): string {
  const key = `${language.value} ${name}`
  let known = made.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat(language.value, options)
    made.set(key, known)
  }
  return known.format(at)
}

export const printClock = (at: string): string =>
  format('clock', { hour: 'numeric', minute: '2-digit' }, new Date(at))

const dayNumber = (at: Date): number =>
  Math.floor((at.getTime() - at.getTimezoneOffset() * 60_000) / 86_400_000)

export const isSameDay = (one: string, other: string): boolean =>
  dayNumber(new Date(one)) === dayNumber(new Date(other))

/** "Today" and "Yesterday", the weekday within this week, otherwise the date. */
export function printDay(at: string): string {
  const date = new Date(at)
  const ago = dayNumber(new Date()) - dayNumber(date)
  if (ago === 0 || ago === 1) return printRelative(-ago)
  if (ago > 1 && ago < 7) return format('weekday', { weekday: 'long' }, date)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return isThisYear
    ? format('day', { day: 'numeric', month: 'long' }, date)
    : format('date', { day: 'numeric', month: 'long', year: 'numeric' }, date)
}

function printRelative(days: number): string {
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' }).format(days, 'day')
  return words.charAt(0).toLocaleUpperCase(language.value) + words.slice(1)
}

/** In a list: the time for today, otherwise the day. */
export const printWhen = (at: string): string =>
  isSameDay(at, new Date().toISOString()) ? printClock(at) : printDay(at)

/** When the team is back: a time today, or a day and a time. */
export const printOpening = (at: string): string =>
  isSameDay(at, new Date().toISOString())
    ? printClock(at)
    : format('opening', { weekday: 'long', hour: 'numeric', minute: '2-digit' }, new Date(at))

export function printSize(bytes: number): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  return new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit,
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}
