import { phoneLexemes, readPhones } from './phones.ts'
import { stemmedLanguage, stemOf } from './stem.ts'
import { readTokens, type Token } from './tokens.ts'

/** The entry of a text in an index of words: a `tsvector` of Postgres, made here so that index and question are folded alike. */

/** The rule by which a row was indexed. Rows of an older one are found as they were until they are indexed again. */
export const indexVersion = 2

/** A `tsvector` holds 1 MiB, and a word costs the index time: the rest of a longer text is not indexed. */
const most = { lexemes: 16_000, bytes: 600_000 }
/** Postgres keeps no later positions, nor more of one word. */
const lastPosition = 16_383
const mostPositions = 255

export interface Indexed {
  text: string | null
  /** How much a hit here counts: A is most, D the usual. */
  weight?: 'A' | 'B' | 'D'
  /** Stems are indexed as well. */
  locale?: string
  /** Digits that end a telephone number, from so many on; else 7. */
  shortestEnding?: number
}

class Vector {
  readonly #places = new Map<string, string[]>()
  #bytes = 0

  add(lexeme: string, position: number | null, weight = 'D'): void {
    const places = this.#places.get(lexeme)
    if (!places) {
      if (this.#places.size >= most.lexemes || this.#bytes > most.bytes) return
      this.#bytes += lexeme.length * 3 + 16
    }
    const found = places ?? []
    if (!places) this.#places.set(lexeme, found)
    if (position === null || found.length >= mostPositions) return
    found.push(`${Math.min(position, lastPosition)}${weight === 'D' ? '' : weight}`)
    this.#bytes += 2
  }

  /** No lexeme holds a quote or a backslash. */
  print(): string {
    return [...this.#places]
      .map(([lexeme, places]) => (places.length ? `'${lexeme}':${places.join(',')}` : `'${lexeme}'`))
      .join(' ')
  }
}

/** Of a word in an index of its language. */
export const stemLexeme = (word: string, language: string): string => `^${stemOf(word, language)}`

function addTokens(vector: Vector, tokens: Token[], from: number, { text, weight, locale }: Indexed): void {
  const language = stemmedLanguage(locale ?? null)
  for (const { word, position, start, end, kind } of tokens) {
    vector.add(word, from + position, weight)
    if (language && kind === 'word')
      vector.add(stemLexeme(text!.slice(start, end), language), from + position, weight)
  }
}

/** The `tsvector` of some texts, as Postgres reads it. No phrase reaches from one text into the next. */
export function printVector(...texts: Indexed[]): string {
  const vector = new Vector()
  let from = 0
  for (const one of texts) {
    if (!one.text) continue
    const tokens = readTokens(one.text)
    addTokens(vector, tokens, from, one)
    for (const phone of readPhones(one.text))
      for (const lexeme of phoneLexemes(phone, one.shortestEnding)) vector.add(lexeme, null)
    from += (tokens.findLast(({ kind }) => kind !== 'joined')?.position ?? 0) + 10
  }
  return vector.print()
}
