import { lazyRequire } from '../async/lazy-require.ts'
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
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}
const stopwords = Object.fromEntries(
  Object.entries(names).map(([language, name]) => [
    language,
    lazyRequire<{ stopwords: string[] }>(`@orama/stopwords/${name}`),
  ]),
)
const stemmers = Object.fromEntries(
  Object.entries(names).map(([language, name]) => [
    language,
    lazyRequire<Stemmer>(`@orama/stemmers/${name}`),
  ]),
)

/** The language of a locale such as `pt-BR` or `zh_TW`, if there is a stemmer for it, or null. */
export function stemmedLanguage(locale: string | null): string | null {
  const language = (locale ?? '').toLowerCase().split(/[-_]/)[0]!
  return Object.hasOwn(stemmers, language) ? language : null
}

export const stemmedLanguages = Object.keys(stemmers)

/** The number of characters of a word that are stemmed. Some stemmers take seconds for a text without spaces. */
const maxWordLength = 64

/** The folded stem of a word, in a language returned by `stemmedLanguage`. */
export const stemOf = (word: string, language: string): string =>
  fold(stemmers[language]!().stemmer(word.slice(0, maxWordLength).normalize('NFC').toLowerCase())).slice(
    0,
    maxWordLength,
  )

const folded = new Map<string, Set<string>>()

function foldedStopwords(language: string): Set<string> {
  const known = folded.get(language) ?? new Set(stopwords[language]!().stopwords.map(fold))
  folded.set(language, known)
  return known
}

/** Whether a folded word is a stop word of a language, such as `the`. */
export const isStopword = (word: string, language: string): boolean => foldedStopwords(language).has(word)
