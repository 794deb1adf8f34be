const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Minutes ahead of UTC. Unknown zone names count as UTC (RFC 5322). */
const zones: Record<string, number> = {
  edt: -240,
  est: -300,
  cdt: -300,
  cst: -360,
  mdt: -360,
  mst: -420,
  pdt: -420,
  pst: -480,
  bst: 60,
  cet: 60,
  met: 60,
  mez: 60,
  cest: 120,
  mest: 120,
  mesz: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ist: 330,
  jst: 540,
  kst: 540,
}

const internetDate =
  /^(?:[^\s,]{1,20},? {1,3})?(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}\.?[ -](\d{2,4}),? {1,3}(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?/i
const isoDate = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?/

const zoneAfter = (rest: string): number | null => {
  const [, sign, hours, minutes] = /^ ?([+-])(\d{2}):?(\d{2})/.exec(rest) ?? []
  if (!sign) return zones[/^ ?\(?([a-z]{2,5})/i.exec(rest)?.[1]?.toLowerCase() ?? ''] ?? 0
  const ahead = Number(hours) * 60 + Number(minutes)
  return Number(minutes) > 59 || ahead > 14 * 60 ? null : sign === '-' ? -ahead : ahead
}

const fullYear = (year: string): number =>
  year.length > 2
    ? Number(year) + (year.length === 3 ? 1900 : 0)
    : Number(year) + (Number(year) < 50 ? 2000 : 1900)

interface ReadNumbers {
  year: number
  /** From 0; -1 if there is none of this name. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** Characters that were read. */
  length: number
}

const readClock = (hour = '0', minute = '0', second = '0') => ({
  hour: Number(hour),
  minute: Number(minute),
  second: Number(second),
})

/** Null if the text is not a date. */
function readNumbers(text: string): ReadNumbers | null {
  const internet = internetDate.exec(text)
  if (internet) {
    const [found, day, month, year, ...time] = internet
    const index = months.indexOf(month!.toLowerCase())
    return {
      ...{ year: fullYear(year!), month: index, day: Number(day), length: found.length },
      ...readClock(...time),
    }
  }
  const iso = isoDate.exec(text)
  if (!iso) return null
  const [found, year, month, day, ...time] = iso
  return {
    ...{ year: Number(year), month: Number(month) - 1, day: Number(day), length: found.length },
    ...readClock(...time),
  }
}

/** The Date header as ISO 8601 in UTC; null if it is invalid or outside the years 1970 to 9999. */
export function parseDate(header: string): string | null {
  const text = header.slice(0, 500).replaceAll(/\s+/g, ' ').trim()
  const read = readNumbers(text)
  if (!read) return null
  const { year, month, day, hour, minute, second } = read
  const ahead = zoneAfter(text.slice(read.length))
  if (year < 1970 || year > 9999 || month < 0 || hour > 23 || minute > 59 || second > 60 || ahead === null)
    return null
  const date = new Date(Date.UTC(year, month, day, hour, minute, Math.min(second, 59)))
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month) return null
  return new Date(date.getTime() - ahead * 60_000).toISOString()
}
