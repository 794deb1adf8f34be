/** A question as it is typed, in pieces. */
export interface Piece {
  name: string | null
  text: string
  isPhrase: boolean
  isExcluded: boolean
}

const piece = /(-?)(?:"([^"]*)"?|(\S+))/g

export const readPieces = (q: string): Piece[] =>
  [...q.matchAll(piece)].map(([, sign, phrase, word]) => ({
    name: null,
    text: phrase ?? word!,
    isPhrase: phrase !== undefined,
    isExcluded: sign === '-',
  }))
