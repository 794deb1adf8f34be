import { later } from '../later.ts'
import { fold } from './fold.ts'

interface Stemmer {
  stemmer(word: string): string
}

const names: Record<string, string> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovenian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}
const stopwords = Object.fromEntries(
  Object.entries(names).map(([language, name]) => [
    language,
    later<{ stopwords: string[] }>(`@orama/stopwords/${name}`),
  ]),
)
const stemmers = Object.fromEntries(
  Object.entries(names).map(([language, name]) => [language, later<Stemmer>(`@orama/stemmers/${name}`)]),
)

/** The language of a locale such as `pt-BR` or `zh_TW`, if there is a stemmer for it, or null. */
export function stemmedLanguage(locale: string | null): string | null {
  const language = (locale ?? '').toLowerCase().split(/[-_]/)[0]!
  return language in stemmers ? language : null
}

/** The folded stem of a word, in a language returned by `stemmedLanguage`. */
export const stemOf = (word: string, language: string): string =>
  fold(stemmers[language]!().stemmer(word.normalize('NFC').toLowerCase()))

/** Whether a folded word is a stop word of a language, such as `the`. */
export const isStopword = (word: string, language: string): boolean =>
  stopwords[language]!().stopwords.some(one => fold(one) === word)
