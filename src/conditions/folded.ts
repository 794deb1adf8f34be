/**
 * Short texts, such as subjects, have no index of their own. They are folded in the same way here and by the function `folded_text` of
 * the database, and words are separated by the same characters in both.
 */

const ascii = /^[\0-\x7f]*$/
const accents = /[\u0300-\u036f]/g

const replaced: [from: string, to: string][] = [
  ['ς', 'σ'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
]

/** Lower case, without accents. */
export function foldShortText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(accents, '').toLowerCase()
  return replaced.reduce((folded, [from, to]) => folded.replaceAll(from, to), plain)
}

/** What separates words: the punctuation of ASCII and Latin-1, and the general, Chinese and Japanese punctuation. */
const separator =
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u3004\\u3008-\\u303f'
const separators = new RegExp(`[${separator}]+`, 'g')

/** Scripts without spaces between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** The same as in the index `tickets_subject_words`. */
export const separatorPattern = `[${separator}]+`

/** The words of a text with one space between them; empty if it has none. */
export const foldWords = (text: string): string => foldShortText(text).replaceAll(separators, ' ').trim()

const isUnspaced = (sign: string | undefined): boolean => sign !== undefined && unspaced.test(sign)

/** The words of `patternOf` that must be whole words of the text, in which an index can find them. */
export function wholeWordsOf(text: string): string[] {
  const words = foldWords(text).split(' ')
  return words.filter(
    (word, at) =>
      word !== '' &&
      !(at === 0 && isUnspaced([...word][0])) &&
      !(at === words.length - 1 && isUnspaced([...word].at(-1))),
  )
}

/** A regular expression, for Postgres and for JavaScript, that finds the words in a folded text. */
export function patternOf(text: string): string {
  const words = foldWords(text)
  const signs = [...words]
  const begin = isUnspaced(signs[0]) ? '' : `(^|[${separator}])`
  const end = isUnspaced(signs.at(-1)) ? '' : `($|[${separator}])`
  return begin + words.replaceAll(' ', `[${separator}]+`) + end
}
