import { parseTime } from '../core/time.ts'
import type { ValueShape } from './fields.ts'
import { foldWords } from './folded.ts'
import { conditionLimits } from './limits.ts'
import { readDuration } from './times.ts'

/** Checks the values of comparisons. */

const { values: maxValues, textLength } = conditionLimits

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= textLength && !value.includes('\0') && value.isWellFormed()

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isTime = (value: unknown): boolean => isText(value) && parseTime(value) !== null
/** A text that is searched needs a letter or a digit. */
const isSearched = (value: unknown): boolean => isText(value) && foldWords(value) !== ''

const isListOf = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= maxValues && value.every(fits)

const isPairOf = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  isListOf(value, fits) && Array.isArray(value) && value.length === 2

const count = `1 to ${maxValues}`

const shapes: Record<ValueShape, [fits: (value: unknown) => boolean, msg: string]> = {
  words: [
    value => isListOf(value, one => one === null || (isText(one) && one !== '')),
    `Input should be a list of ${count} strings, or null among them`,
  ],
  tags: [
    value => isListOf(value, one => isText(one) && one !== ''),
    `Input should be a list of ${count} tags`,
  ],
  texts: [
    value => isListOf(value, isSearched),
    `Input should be a list of ${count} texts with a letter or a digit, of at most ${textLength} characters`,
  ],
  text: [isSearched, `Input should be a text with a letter or a digit, of at most ${textLength} characters`],
  time: [isTime, 'Input should be an ISO 8601 time or a date'],
  times: [value => isPairOf(value, isTime), 'Input should be a list of two ISO 8601 times or dates'],
  duration: [
    value => isText(value) && readDuration(value) !== null,
    'Input should be an ISO 8601 duration, such as P7D or PT4H',
  ],
  number: [isNumber, 'Input should be a valid number'],
  numbers: [value => isListOf(value, isNumber), `Input should be a list of ${count} numbers`],
  'two numbers': [value => isPairOf(value, isNumber), 'Input should be a list of two numbers'],
  boolean: [value => typeof value === 'boolean', 'Input should be a valid boolean'],
  none: [value => value === undefined || value === null, 'This operator should have no value'],
}

/** What is wrong with a value; null if it fits. */
export function findValueFault(
  shape: ValueShape,
  value: unknown,
  among: readonly string[] | undefined,
): string | null {
  const [fits, msg] = shapes[shape]
  if (!fits(value)) return msg
  const isStrange = (one: unknown) => one !== null && !among!.some(word => word === one)
  if (!among || !Array.isArray(value) || !value.some(isStrange)) return null
  return `Input should contain only ${among.join(', ')}`
}
