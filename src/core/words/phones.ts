/** Phone numbers in a text. They are found by their last digits, however they are grouped, with or without a country code. */

/** What looks like a phone number: groups of digits with only the usual separators between them. A national `0` may be in brackets. */
const grouped = /\+?[0-9(](?:[ \u00a0./()-]{0,3}[0-9]){5,18}/g
const [fewest, most] = [7, 15]
/** How many numbers of a text are indexed. */
const mostNumbers = 100

export interface Phone {
  digits: string
  start: number
  end: number
}

export function readPhones(text: string): Phone[] {
  const phones: Phone[] = []
  for (const { 0: found, index } of text.matchAll(grouped)) {
    const digits = found.replace('(0)', '').replaceAll(/[^0-9]/g, '')
    if (digits.length < fewest || digits.length > most) continue
    phones.push({ digits, start: index, end: index + found.length })
    if (phones.length === mostNumbers) break
  }
  return phones
}

/** The digits without leading zeros, which are national or international prefixes. */
const plain = (digits: string): string => digits.replace(/^0+/, '')

const endingsOf = (digits: string, shortest: number): string[] =>
  Array.from({ length: Math.max(digits.length - shortest + 1, 0) }, (_, at) => digits.slice(at))

/** The lexemes by which a number is indexed: `~` with each suffix, and `=` with the whole number. */
export const phoneLexemes = (digits: string, shortest = fewest): string[] => [
  ...endingsOf(digits, shortest).map(ending => `~${ending}`),
  ...(plain(digits) ? [`=${plain(digits)}`] : []),
]

/** In Russia and Kazakhstan (country code 7), people dial 8 instead of 7. */
const withOtherPrefix = (digits: string): string[] =>
  /^[78][0-9]{10}$/.test(digits) ? [(digits[0] === '7' ? '8' : '7') + digits.slice(1)] : []

/** The lexemes that find a number: one that ends with these digits, or one that these digits end with. */
export const phoneQuestions = (digits: string): string[] => [
  `~${plain(digits)}`,
  ...withOtherPrefix(plain(digits)).map(other => `~${other}`),
  ...endingsOf(plain(digits), fewest).map(ending => `=${ending}`),
]
