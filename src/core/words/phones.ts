import { foldDigits } from './fold.ts'

/** Phone numbers in a text. They are found by their last digits, however they are grouped, with or without a country code. */

/**
 * Text that looks like a phone number: groups of digits with only the usual separators between them. A national `0` may be in
 * brackets.
 */
const grouped = /\+?[0-9(](?:[ \u00a0./()-]{0,3}[0-9]){5,39}/g
const wideGap = /[ \u00a0./()-]{3}/g
const [minDigits, maxDigits] = [7, 15]
/** The number of phone numbers indexed for a text, and of groups of digits for a number. */
const [maxNumbers, maxGroups] = [100, 8]

/** A place in a text, in UTF-16 units. */
interface Place {
  start: number
  end: number
}

export interface Phone extends Place {
  digits: string
}

/** Replaces typographic and full-width characters with ASCII ones. The length of the text stays the same. */
const plainSigns = (text: string): string =>
  foldDigits(text)
    .replaceAll(/[\u2010-\u2015\u2212\uff0d]/g, '-')
    .replaceAll('\uff0b', '+')
    .replaceAll('\u3000', ' ')

/** Runs of digits, without the zero in brackets. */
function* runsOf(text: string): Generator<Place & { found: string }> {
  for (const { 0: found, index } of plainSigns(text).matchAll(grouped))
    yield { found: found.replace('(0)', '   '), start: index, end: index + found.length }
}

const digitsOf = (found: string): string => found.replaceAll(/[^0-9]/g, '')

/** Splits a run with too many digits for one number at its wide gaps: `030 1234567 / 0171 7654321` is two numbers. */
function* divide(found: string, at: number): Generator<Phone> {
  const digits = digitsOf(found)
  if (digits.length <= maxDigits) {
    if (digits.length >= minDigits) yield { digits, start: at, end: at + found.length }
    return
  }
  let start = 0
  for (const { 0: gap, index } of found.matchAll(wideGap)) {
    yield* divide(found.slice(start, index), at + start)
    start = index + gap.length
  }
  if (start > 0) yield* divide(found.slice(start), at + start)
}

/** The phone numbers in a search text. */
export const askedPhones = (text: string): Phone[] =>
  [...runsOf(text)].flatMap(({ found, start }) => [...divide(found, start)])

const group = /[0-9]+/g

/**
 * Possible numbers in a run, one for each group of digits that may be the last, because other digits such as a date or a time may
 * precede or follow the number. A number may be whole, without a country code, if it begins the run or begins with a zero.
 */
function* endingsIn(found: string, at: number): Generator<Phone & { wholes: string[] }> {
  const groups = [...found.matchAll(group)]
  for (const [n, last] of groups.entries()) {
    const end = last.index + last[0].length
    const wholes: string[] = []
    let [start, allDigits] = [end, '']
    for (let first = n; first >= 0 && n - first < maxGroups; first--) {
      const digits = digitsOf(found.slice(groups[first]!.index, end))
      if (digits.length > maxDigits) break
      start = groups[first]!.index
      allDigits = digits
      if (digits.length >= minDigits && (first === 0 || digits.startsWith('0'))) wholes.push(digits)
    }
    if (allDigits.length >= minDigits) yield { digits: allDigits, wholes, start: at + start, end: at + end }
  }
}

/** The possible phone numbers in a text. */
export function readPhones(text: string): (Phone & { wholes: string[] })[] {
  const phones: (Phone & { wholes: string[] })[] = []
  for (const { found, start } of runsOf(text)) {
    phones.push(...endingsIn(found, start))
    if (phones.length >= maxNumbers) break
  }
  return phones
}

/** The digits without leading zeros, which are national or international prefixes. */
const plain = (digits: string): string => digits.replace(/^0+/, '')

const endingsOf = (digits: string, shortest: number): string[] =>
  Array.from({ length: Math.max(digits.length - shortest + 1, 0) }, (_, at) => digits.slice(at))

/** The lexemes by which a number is indexed: `~` with each suffix, and `=` with each whole number. */
export const phoneLexemes = (
  { digits, wholes }: { digits: string; wholes: string[] },
  shortest = minDigits,
): string[] => [
  ...endingsOf(digits, shortest).map(ending => `~${ending}`),
  ...wholes.flatMap(whole => (plain(whole) ? [`=${plain(whole)}`] : [])),
]

/** In Russia and Kazakhstan (country code 7), people dial 8 instead of 7. */
const withOtherPrefix = (digits: string): string[] =>
  /^[78][0-9]{10}$/.test(digits) ? [(digits[0] === '7' ? '8' : '7') + digits.slice(1)] : []

/** The lexemes that find a number: one that ends with these digits, or one that these digits end with. */
export const phoneQuestions = (digits: string): string[] => [
  `~${plain(digits)}`,
  ...withOtherPrefix(plain(digits)).map(other => `~${other}`),
  ...endingsOf(plain(digits), minDigits).map(ending => `=${ending}`),
]
