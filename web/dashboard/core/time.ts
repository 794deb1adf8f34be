/** Times in words, in the language of the page. All take what the API sends: UTC, mostly without saying so. */

/** The reader's own kind of the page's language: Britain counts hours to 24, the USA to 12. */
function language(): string | undefined {
  const { lang } = document.documentElement
  return navigator.languages.find(tag => tag.split('-')[0] === lang) ?? (lang || undefined)
}

/** Those of the API have no zone, and are in UTC. */
export const dateOf = (time: string): Date => new Date(/[zZ]$|[+-]\d\d:?\d\d$/.test(time) ? time : `${time}Z`)

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "5 minutes ago", "in 2 days"; below a minute "now". */
export function ago(time: string, now = Date.now()): string {
  const seconds = (dateOf(time).getTime() - now) / 1000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 0]
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' })
  return format.format(size ? Math.trunc(seconds / size) : 0, unit as Intl.RelativeTimeFormatUnit)
}

/** Day and time in full, for a title. */
export const moment = (time: string): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(dateOf(time))

export const day = (time: string): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(dateOf(time))

/** The hour today, the day in this year, else the date. */
export function brief(time: string, now = new Date()): string {
  const then = dateOf(time)
  const isToday = then.toDateString() === now.toDateString()
  const isThisYear = then.getFullYear() === now.getFullYear()
  const shape: Intl.DateTimeFormatOptions = isToday
    ? { hour: 'numeric', minute: '2-digit' }
    : { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) }
  return new Intl.DateTimeFormat(language(), shape).format(then)
}

/** The hour alone. */
export const hour = (time: string): string =>
  new Intl.DateTimeFormat(language(), { hour: 'numeric', minute: '2-digit' }).format(dateOf(time))

/** A day and a time as the field writes it, in the reader's own zone. */
export function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
