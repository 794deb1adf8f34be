import type { Ticket } from './queries.ts'

export interface Snippet {
  text: string
  /** Where it begins in the text in which the places are counted. */
  from: number
}

/** Characters before the first place: so few that a narrow row shows it. */
const before = 24

/** What a search has found in a message, from shortly before the first place on. */
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
