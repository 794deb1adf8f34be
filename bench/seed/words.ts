/** Generates texts that a full-text index treats like a language: word n of the vocabulary has a frequency of 1/n. */

/** Words with a known frequency, which the vocabulary does not contain. */
export const probes = {
  quasar: 0.0001,
  walnut: 0.001,
  lantern: 0.005,
  marble: 0.009,
  harbor: 0.05,
  meadow: 0.2,
} as const

/** In 60 % of the oldest tenth of the messages, and in none of the others. */
export const oldWord = 'relic'

/** In every message written by people. */
export const commonest = 'the'

const vocabularySize = 30_000
const phraseCount = 60_000
const starts = 'b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w z'.split(' ')
const middles = 'a e i o u ai ea ou'.split(' ')
const ends = ['', 'n', 'r', 's', 'l', 't', 'm']

/** Returns the same numbers in every run. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

function makeVocabulary(random: () => number): string[] {
  const taken = new Set<string>([...Object.keys(probes), oldWord, commonest])
  const own = taken.size
  while (taken.size < vocabularySize + own) {
    const syllables = 1 + Math.floor(random() * 2.3 + taken.size / vocabularySize)
    const parts = Array.from({ length: syllables }, () => pick(starts, random) + pick(middles, random))
    taken.add(parts.join('') + pick(ends, random))
  }
  return [...taken].slice(own)
}

/** A rank r with probability proportional to 1/r, by inversion. */
const zipf = (size: number, random: () => number): number => Math.floor(size ** random()) - 1

export interface Texts {
  /** Phrases of eight words each. */
  phrases: string[]
  subjects: string[]
  names: string[]
}

/** Parts of messages and subjects, so that the database itself can generate millions of them. */
export function makeTexts(seed: number): Texts {
  const random = makeRandom(seed)
  const vocabulary = makeVocabulary(random)
  const say = (count: number) =>
    Array.from({ length: count }, () => vocabulary[zipf(vocabulary.length, random)]!).join(' ')
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
  return {
    phrases: Array.from({ length: phraseCount }, () => say(8)),
    subjects: Array.from({ length: phraseCount / 2 }, () => capital(say(2 + Math.floor(random() * 5)))),
    names: Array.from({ length: 5_000 }, () => capital(pick(vocabulary, random))),
  }
}
