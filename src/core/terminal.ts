/** Prints log lines for people who read them on a terminal. */

interface Line {
  level: number
  time: string
  msg?: string
  err?: { message?: string; stack?: string }
  [field: string]: unknown
}

const levels: [number, string][] = [
  [60, 'Fatal: '],
  [50, 'Error: '],
  [40, 'Warning: '],
]

/** In the local time zone. */
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function listFields(fields: Record<string, unknown>): string {
  const list = Object.entries(fields).map(([name, value]) => `${name}: ${show(value)}`)
  return list.length ? ` (${list.join(', ')})` : ''
}

/** Includes the stack only for unexpected errors. */
function describe({ message = '', stack = '' }: NonNullable<Line['err']>, level: number): string {
  const at = stack.indexOf('\n    at ')
  return `: ${message}${level >= 50 && at >= 0 ? stack.slice(at) : ''}`
}

/** Turns a JSON log line into readable text. */
export function printLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line
  const word = levels.find(([least]) => level >= least)?.[1] ?? ''
  const shown = `${clock.format(Date.parse(time))}  ${word}${msg}${listFields(fields)}`
  // Control characters in names and messages from outside could move the cursor.
  return `${shown}${err ? describe(err, level) : ''}`.replaceAll(/[^\P{Cc}\n]/gu, ' ')
}
