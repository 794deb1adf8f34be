/** Telephone numbers in a text: found by their last digits, however they are grouped and whether or not a country is named. */

/** What looks like one, often with the zero that is dialled within the country in brackets: groups of digits with nothing between them but what people put into a telephone number. */
const grouped = /\+?[0-9(](?:[ \u00a0./()-]{0,3}[0-9]){5,39}/g
const wideGap = /[ \u00a0./()-]{3}/g
const [fewest, most] = [7, 15]
/** Numbers of a text that are indexed. */
const mostNumbers = 100

export interface Phone {
  digits: string
  start: number
  end: number
}

const digitsOf = (found: string): string => found.replace('(0)', '').replaceAll(/[^0-9]/g, '')

/** More digits than a number has may be several numbers, with more signs between them than within: `030 1234567 / 0171 7654321`. */
function* divide(found: string, at: number): Generator<Phone> {
  const digits = digitsOf(found)
  if (digits.length <= most) {
    if (digits.length >= fewest) yield { digits, start: at, end: at + found.length }
    return
  }
  let start = 0
  for (const { 0: gap, index } of found.matchAll(wideGap)) {
    yield* divide(found.slice(start, index), at + start)
    start = index + gap.length
  }
  if (start > 0) yield* divide(found.slice(start), at + start)
}

export function readPhones(text: string): Phone[] {
  const phones: Phone[] = []
  for (const { 0: found, index } of text.matchAll(grouped)) {
    phones.push(...divide(found, index))
    if (phones.length >= mostNumbers) break
  }
  return phones
}

/** Without the zeros that begin a number within a country, or one of another country. */
const plain = (digits: string): string => digits.replace(/^0+/, '')

const endingsOf = (digits: string, shortest: number): string[] =>
  Array.from({ length: Math.max(digits.length - shortest + 1, 0) }, (_, at) => digits.slice(at))

/** Lexemes under which a number is indexed: `~` and each ending, and `=` and the whole. */
export const phoneLexemes = (digits: string, shortest = fewest): string[] => [
  ...endingsOf(digits, shortest).map(ending => `~${ending}`),
  ...(plain(digits) ? [`=${plain(digits)}`] : []),
]

/** In Russia and Kazakhstan, country code 7, an 8 is dialled in its place. */
const withOtherPrefix = (digits: string): string[] =>
  /^[78][0-9]{10}$/.test(digits) ? [(digits[0] === '7' ? '8' : '7') + digits.slice(1)] : []

/** Lexemes by which a number is found: one that ends with these digits, or one with which these digits end. */
export const phoneQuestions = (digits: string): string[] => [
  `~${plain(digits)}`,
  ...withOtherPrefix(plain(digits)).map(other => `~${other}`),
  ...endingsOf(plain(digits), fewest).map(ending => `=${ending}`),
]
