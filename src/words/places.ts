import { phoneLexemes, readPhones } from '../core/words/phones.ts'
import { stemmedLanguage } from '../core/words/stem.ts'
import { readTokens, type Token } from '../core/words/tokens.ts'
import { stemLexeme } from '../core/words/vector.ts'
import type { Group, Term } from './question.ts'

/** Finds the places in a text that match a search, to mark them. */

/** A place in a text, in UTF-16 units. */
export interface Place {
  start: number
  end: number
}

/**
 * The maximum number of places for a phrase, and of its words that are compared, because a page has up to a hundred texts, and a
 * search may have hundreds of words.
 */
const [maxPlaces, maxTerms] = [50, 12]

/** A word at a position of a text, or a part of it, with its stem. */
interface PositionedWord extends Place {
  lexemes: string[]
}

type Positions = Map<number, PositionedWord[]>

interface Read {
  positions: Positions
  /** The positions of a lexeme. */
  byLexeme: Map<string, number[]>
  /** The places of whole phone numbers and joined words. */
  wholes: Map<string, Place[]>
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

function readText(text: string, locale?: string): Read {
  const language = stemmedLanguage(locale ?? null)
  const read: Read = { positions: new Map(), byLexeme: new Map(), wholes: new Map() }
  const lexemesOf = ({ word, kind, start, end }: Token) =>
    language && kind === 'word' ? [word, stemLexeme(text.slice(start, end), language)] : [word]
  for (const token of readTokens(text)) {
    const { position, start, end } = token
    const lexemes = lexemesOf(token)
    push(read.positions, position, { start, end, lexemes })
    for (const lexeme of lexemes) push(read.byLexeme, lexeme, position)
    push(read.wholes, token.word, { start, end })
  }
  for (const { start, end, ...phone } of readPhones(text))
    for (const lexeme of phoneLexemes(phone)) push(read.wholes, lexeme, { start, end })
  return read
}

const fits = ({ words, beginnings }: Term, lexemes: string[]): boolean =>
  lexemes.some(lexeme => words.includes(lexeme) || beginnings.some(start => lexeme.startsWith(start)))

/** The positions at which a phrase may begin. */
function startsOf({ words, beginnings }: Term, { byLexeme }: Read): number[] {
  const exact = words.flatMap(word => byLexeme.get(word) ?? [])
  const begun = beginnings.length
    ? [...byLexeme].flatMap(([lexeme, at]) => (beginnings.some(start => lexeme.startsWith(start)) ? at : []))
    : []
  return [...new Set([...exact, ...begun])].sort((one, other) => one - other)
}

/** The places of a phrase, whose terms are at adjacent positions. */
function findPhrase(whole: Term[], read: Read): Place[] {
  const phrase = whole.slice(0, maxTerms)
  const at = (position: number, term: Term) =>
    read.positions.get(position)?.find(({ lexemes }) => fits(term, lexemes))
  const found: Place[] = []
  for (const position of startsOf(phrase[0]!, read)) {
    const first = at(position, phrase[0]!)!
    let last: PositionedWord | undefined = first
    for (let n = 1; n < phrase.length && last; n++) last = at(position + n, phrase[n]!)
    if (last) found.push({ start: first.start, end: last.end })
    if (found.length === maxPlaces) break
  }
  return found
}

/** Joins places that touch or overlap. */
function merge(places: Place[]): Place[] {
  const sorted = places.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const merged: Place[] = []
  for (const { start, end } of sorted) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** The places in a text that match the groups, in order. */
export function findPlaces(groups: Group[], text: string, locale?: string): Place[] {
  const read = readText(text, locale)
  const phrases = new Map(groups.flatMap(({ all }) => all).map(phrase => [JSON.stringify(phrase), phrase]))
  const wholes = new Set(groups.flatMap(({ instead }) => instead))
  return merge([
    ...[...phrases.values()].flatMap(phrase => findPhrase(phrase, read)),
    ...[...wholes].flatMap(lexeme => read.wholes.get(lexeme)?.slice(0, maxPlaces) ?? []),
  ])
}
