import { fold } from './fold.ts'

/** A word of a text, as it is indexed, with its place in the text. */
export interface Token {
  /** Folded. */
  word: string
  /** Adjacent words have adjacent positions. */
  position: number
  /** The place in the text, in UTF-16 units. */
  start: number
  end: number
  /**
   * A word; letters or digits within one, such as `2024` in `INV2024`; words that a hyphen or an apostrophe joins, as one; or two
   * characters of a text without spaces.
   */
  kind: 'word' | 'part' | 'joined' | 'gram'
}

/** The number of characters of a word that are indexed. Longer words are found by their beginning. */
const maxWordLength = 64

// Letters, digits, and marks. Modifier letters that look like an apostrophe separate words, like apostrophes.
const run = /[[\p{L}\p{M}\p{N}\p{Cf}]--[\u02b9-\u02bf]]+/gv
/** Invisible characters that separate words. In text without spaces, they only mark where a line may break. */
const unseen = /[^\u200b\u200c]+/g
/** Scripts without spaces between words, and Hangul, whose words have particles attached. */
const unspaced =
  /(?:[[\p{L}々〇]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]][\p{M}\p{Cf}\uff9e\uff9f]*)+/gv
/** A letter with its marks. No language uses more marks than this. */
const cluster = /[\s\S][\p{M}\p{Cf}\uff9e\uff9f]{0,8}/gv
const sign = /[[\p{L}\p{M}\p{N}]]/v
const notInWords = /[^\p{L}\p{M}\p{N}]+/gu
const hasDigit = /[0-9]/
const parts = /[0-9]+|[^0-9]+/g

interface Piece {
  text: string
  start: number
}

/** Adds a word with its place in the text. */
type Add = (word: string, start: number, end: number, kind: Token['kind']) => void

/** `2024` and `inv` of `inv2024`. */
function addParts(word: string, start: number, end: number, add: Add): void {
  if (!hasDigit.test(word)) return
  const found = word.match(parts)!
  if (found.length < 2) return
  for (const part of found) if (part.length > 2) add(part, start, end, 'part')
}

function addWord({ text, start }: Piece, add: Add): void {
  const word = fold(text).replace(notInWords, '').slice(0, maxWordLength)
  if (word === '') return
  add(word, start, start + text.length, 'word')
  addParts(word, start, start + text.length, add)
}

/** The place in the original text of each character of the folded text. If their numbers differ, each gets the place of the whole. */
function placesOf(text: string, count: number): [start: number, end: number][] {
  const places = [...text.matchAll(cluster)].map((found): [number, number] => [
    found.index,
    found.index + found[0].length,
  ])
  return places.length === count ? places : Array.from({ length: count }, () => [0, text.length])
}

/** Adds each pair of adjacent characters, and the last one alone, so that a single character is always the prefix of an entry. */
function addGrams({ text, start }: Piece, add: Add): void {
  const signs = fold(text).match(cluster) ?? []
  const places = placesOf(text, signs.length)
  signs.forEach((first, at) => {
    const next = Math.min(at + 1, signs.length - 1)
    const word = next > at ? first + signs[next] : first
    add(word, start + places[at]![0], start + places[next]![1], 'gram')
  })
}

function* divideSpaced(text: string, start: number): Generator<Piece & { isUnspaced: boolean }> {
  for (const { 0: word, index } of text.matchAll(unseen))
    yield { text: word, start: start + index, isUnspaced: false }
}

function* divide(text: string, start: number): Generator<Piece & { isUnspaced: boolean }> {
  let from = 0
  for (const found of text.matchAll(unspaced)) {
    yield* divideSpaced(text.slice(from, found.index), start + from)
    yield { text: found[0], start: start + found.index, isUnspaced: true }
    from = found.index + found[0].length
  }
  yield* divideSpaced(text.slice(from), start + from)
}

const ascii = /^[\0-\x7f]*$/
const asciiRun = /[a-zA-Z0-9]+/g

const joint = /^[-'\u2010\u2011\u2019\u02bc]$/
/** The maximum number of words that are joined. More are mostly serial numbers. */
const maxJoinedWords = 4

/** Adds `email` for `e-mail`: words joined by punctuation are also indexed as one word. */
function joinWords(text: string, tokens: Token[]): Token[] {
  const joined: Token[] = []
  let chain: Token[] = []
  const end = () => {
    const word = chain.map(one => one.word).join('')
    if (chain.length > 1 && chain.length <= maxJoinedWords && word.length <= maxWordLength)
      joined.push({ ...chain[0]!, word, end: chain.at(-1)!.end, kind: 'joined' })
    chain = []
  }
  for (const token of tokens) {
    if (token.kind === 'part') continue
    const last = chain.at(-1)
    if (last && !(token.kind === 'word' && joint.test(text.slice(last.end, token.start)))) end()
    if (token.kind === 'word') chain.push(token)
  }
  end()
  return joined
}

function readEach(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  const add: Add = (word, start, end, kind) => {
    if (kind !== 'part') position++
    tokens.push({ word, position, start, end, kind })
  }
  if (ascii.test(text)) {
    for (const found of text.matchAll(asciiRun)) addWord({ text: found[0], start: found.index }, add)
    return tokens
  }
  for (const found of text.matchAll(run)) {
    if (!sign.test(found[0])) continue
    for (const piece of divide(found[0], found.index)) (piece.isUnspaced ? addGrams : addWord)(piece, add)
  }
  return tokens
}

/** The words in the order of the text, followed by the joined words. */
export function readTokens(text: string): Token[] {
  const tokens = readEach(text)
  return [...tokens, ...joinWords(text, tokens)]
}
