import { phoneLexemes, readPhones } from './phones.ts'
import { stemmedLanguage, stemOf } from './stem.ts'
import { readTokens, type Token } from './tokens.ts'

/** The index entry of a text: a `tsvector` of Postgres. It is made here so that entries and queries are folded in the same way. */

/** The version of the indexing rule. Rows with an older one are searched by the old rule until they are indexed again. */
export const indexVersion = 2

/** A `tsvector` is limited to 1 MiB, and each word takes time to index. The rest of a longer text is not indexed. */
const maxEntry = { lexemes: 16_000, bytes: 600_000 }
/** Postgres stores no later positions. */
const lastPosition = 16_383
const maxPositions = 255

export interface IndexedText {
  text: string | null
  /** The weight of a match: A is the highest, D the default. */
  weight?: 'A' | 'B' | 'D'
  /** If set, stems in this language are indexed too. */
  locale?: string
  /** The minimum number of final digits by which a phone number is found; default 7. */
  shortestEnding?: number
}

class Vector {
  readonly #places = new Map<string, string[]>()
  #bytes = 0

  add(lexeme: string, position: number | null, weight = 'D'): void {
    const places = this.#places.get(lexeme)
    if (!places) {
      if (this.#places.size >= maxEntry.lexemes || this.#bytes > maxEntry.bytes) return
      this.#bytes += lexeme.length * 3 + 16
    }
    const found = places ?? []
    if (!places) this.#places.set(lexeme, found)
    if (position === null || found.length >= maxPositions) return
    found.push(`${Math.min(position, lastPosition)}${weight === 'D' ? '' : weight}`)
    this.#bytes += 2
  }

  /** A lexeme never contains a quote or a backslash. */
  print(): string {
    return [...this.#places]
      .map(([lexeme, places]) => (places.length ? `'${lexeme}':${places.join(',')}` : `'${lexeme}'`))
      .join(' ')
  }
}

/** The lexeme of a stem in an index with a language. */
export const stemLexeme = (word: string, language: string): string => `^${stemOf(word, language)}`

function addTokens(
  vector: Vector,
  tokens: Token[],
  from: number,
  { text, weight, locale }: IndexedText,
): void {
  const language = stemmedLanguage(locale ?? null)
  for (const { word, position, start, end, kind } of tokens) {
    vector.add(word, from + position, weight)
    if (language && kind === 'word')
      vector.add(stemLexeme(text!.slice(start, end), language), from + position, weight)
  }
}

/** The `tsvector` of several texts, as Postgres parses it. A phrase never extends from one text into the next. */
export function printVector(...texts: IndexedText[]): string {
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
