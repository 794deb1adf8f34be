import type { Ticket } from './queries.ts'

export interface Snippet {
  text: string
  /** The offset within the text to which the highlights refer. */
  from: number
}

/** The number of characters before the first highlight, few enough for a narrow row. */
const before = 24

/** A search hit in a message, from shortly before the first highlight. */
export function cutSnippet({
  snippet,
  highlights = [],
}: Pick<Ticket, 'snippet' | 'highlights'>): Snippet | null {
  if (!snippet) return null
  const place = highlights.find(({ field }) => field === 'content')
  const first = (place?.start ?? snippet.start) - snippet.start
  const blank = first > before ? snippet.text.indexOf(' ', first - before) : -1
  const cut = blank >= 0 && blank < first ? blank + 1 : 0
  const from = snippet.start + cut
  return { text: snippet.text.slice(cut), from }
}
