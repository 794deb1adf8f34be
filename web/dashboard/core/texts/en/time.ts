/** Choosing a time. */
export const time = {
  inAnHour: 'In 1 hour',
  afternoon: 'This afternoon',
  evening: 'This evening',
  tomorrow: 'Tomorrow morning',
  monday: 'Monday morning',
  month: 'In a month',
  other: 'Pick a date and time…',
  field: 'Date and time',
  past: 'Choose a time in the future.',
  choose: 'Choose',
  hint: (zone: string) => `Or type a time, such as 2h, fri 10:00 or 24 dec. Times are in ${zone}.`,
  zone: (name: string) => `Times are in ${name}.`,
  /** What people type, in lower case. */
  words: {
    today: ['today'],
    tomorrow: ['tomorrow', 'tmr'],
    /** Before an amount, as in "in 2h", and before a time of day, as in "tomorrow at 10". */
    ignored: ['in', 'at'],
    minutes: ['m', 'min', 'mins', 'minute', 'minutes'],
    hours: ['h', 'hr', 'hrs', 'hour', 'hours'],
    days: ['d', 'day', 'days'],
    weeks: ['w', 'week', 'weeks'],
  },
}
