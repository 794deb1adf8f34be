/** The names of the weekdays, from Monday. */
export function weekdays(): string[] {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: 'long', timeZone: 'UTC' })
  return [1, 2, 3, 4, 5, 6, 7].map(day => format.format(Date.UTC(2024, 0, day)))
}
