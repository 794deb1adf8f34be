import type { ReactNode } from 'react'

/** A place in a text, in UTF-16 units. */
interface Place {
  start: number
  end: number
}

interface MarkedProps {
  children: string
  places: Place[]
  /** Where the text begins in the one in which the places are counted. */
  from?: number
}

/** A text in which places are marked; those outside it are left out. */
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
