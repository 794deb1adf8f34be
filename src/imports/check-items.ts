import type { TSchema } from 'typebox'
import { InvalidRequest } from '../core/errors.ts'
import { compileBody } from '../core/http/validate.ts'
import { isRecord } from '../core/objects.ts'
import { now, parseTime } from '../core/time.ts'
import type { ImportWarning } from './schema.ts'

/** Checks items from other systems. */

/** Returns why an item does not fit its schema, such as `subject: String should have at most 255 characters`; null if it does. */
export function findProblem(schema: TSchema, item: unknown): string | null {
  try {
    compileBody(schema)(item)
    return null
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    const [problem] = error.problems
    return problem ? `${problem.loc.slice(1).join('.')}: ${problem.msg}` : 'invalid'
  }
}

/** Removes NUL characters and replaces lone surrogates, because JSON in Postgres accepts neither. */
export function cleanItem<T>(item: T): T {
  const text = JSON.stringify(item)
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.parse(text, cleanValue) : item
}

function cleanValue(_key: string, value: unknown): unknown {
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
  if (typeof value === 'string') return clean(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), inner]))
}

/** Reads a time. A time in the future becomes the current time, because lists and jobs rely on times that have passed. */
export function readPastTime(
  sent: string | null | undefined,
  field: string,
  warnings: ImportWarning[],
): string | null {
  const time = sent ? parseTime(sent) : null
  if (time === null) return null
  const current = now()
  if (time <= current) return time
  warnings.push({ field, value: sent, reason: 'future' })
  return current
}
