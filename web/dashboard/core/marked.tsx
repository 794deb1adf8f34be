import type { ReactNode } from 'react'

/** A range of a text, in UTF-16 units. */
interface Place {
  start: number
  end: number
}

interface MarkedProps {
  children: string
  places: Place[]
  /** The offset of this text within the text to which the ranges refer. */
  from?: number
}

/** A text with highlighted ranges. Ranges outside the text are ignored. */
export function Marked({ children: text, places, from = 0 }: MarkedProps): ReactNode {
  const parts: ReactNode[] = []
  let at = 0
  for (const place of places) {
    const [start, end] = [place.start - from, place.end - from]
    if (start < at || end > text.length) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return [...parts, text.slice(at)]
}
