/** Splits a search text into words, quoted phrases and `name:value`. It does not know which names exist. */

export interface Piece {
  /** In lower case; null for plain text. */
  name: string | null
  /** The text after the name, or inside the quotes. */
  text: string
  isPhrase: boolean
  /** Whether it is preceded by `-`. */
  isExcluded: boolean
}

/** Each opening quote, and the quotes that close it. */
const quotes: Record<string, string> = {
  '"': '"',
  '“': '”"',
  '„': '“”"',
  '«': '»',
}

const blank = /\s/
const named = /([a-z]{1,20}):(?=\S)(?!\/\/)/iy

/** The first position from `from` on for which `isEnd` is true, or the end of the text. */
function placeOf(q: string, from: number, isEnd: (sign: string) => boolean): number {
  let at = from
  while (at < q.length && !isEnd(q[at]!)) at++
  return at
}

interface Value {
  text: string
  isPhrase: boolean
  end: number
}

/** A phrase without its quotes, or everything up to the next space. An unclosed quote extends to the end of the text. */
function readValue(q: string, from: number): Value {
  const closing = quotes[q[from]!]
  if (closing === undefined) {
    const end = placeOf(q, from, sign => blank.test(sign))
    return { text: q.slice(from, end), isPhrase: false, end }
  }
  const end = placeOf(q, from + 1, sign => closing.includes(sign))
  return { text: q.slice(from + 1, end).trim(), isPhrase: true, end: end + 1 }
}

/** Null for empty quotes. */
function readPiece(q: string, from: number): { piece: Piece | null; end: number } {
  const isExcluded = q[from] === '-' && /[^\s-]/.test(q[from + 1] ?? ' ')
  const start = isExcluded ? from + 1 : from
  named.lastIndex = start
  const [prefix = '', name = null] = named.exec(q) ?? []
  const { text, isPhrase, end } = readValue(q, start + prefix.length)
  if (text) return { piece: { name: name?.toLowerCase() ?? null, text, isPhrase, isExcluded }, end }
  const typed = { name: null, text: q.slice(start, end), isPhrase: false, isExcluded }
  return { piece: name === null ? null : typed, end }
}

export function readPieces(q: string): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < q.length; ) {
    at = placeOf(q, at, sign => !blank.test(sign))
    if (at === q.length) break
    const { piece, end } = readPiece(q, at)
    if (piece) pieces.push(piece)
    at = end
  }
  return pieces
}

/** The piece as plain text, with its name. */
export const toPlain = ({ name, text, ...piece }: Piece): Piece => ({
  name: null,
  text: name === null ? text : `${name}:${text}`,
  ...piece,
})

/** For searches without operators. */
export const readPlainPieces = (q: string): Piece[] => readPieces(q).map(toPlain)
