import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from 'react'

/**
 * Of a long list, only some rows are in the page: those near the visible part, those near the focused row, and
 * the first and last ones, which Home and End focus. Rows are added and removed in chunks.
 */
const chunkSize = 20

/** A run of rendered rows, below `skipped` rows that are not rendered. */
export interface Run {
  from: number
  to: number
  skipped: number
}

const chunkOf = (index: number): number => Math.floor(index / chunkSize)

/** The chunks to render: the first and the last, and the neighbours of these ones. */
function listChunks(count: number, middles: number[]): number[] {
  const last = chunkOf(Math.max(count - 1, 0))
  const wanted = [0, last, ...middles.flatMap(one => [one - 1, one, one + 1])]
  return [...new Set(wanted)].filter(one => one >= 0 && one <= last).sort((a, b) => a - b)
}

/** Joins neighbouring chunks to runs. */
export function toRuns(count: number, middles: number[]): Run[] {
  const runs: Run[] = []
  for (const chunk of listChunks(count, middles)) {
    const from = chunk * chunkSize
    const to = Math.min(from + chunkSize, count)
    const previous = runs.at(-1)
    if (previous?.to === from) previous.to = to
    else runs.push({ from, to, skipped: from - (previous?.to ?? 0) })
  }
  return runs
}

const selector = '[data-row]'

/** The height of a row until one is measured. */
const firstHeight = 86

/** The runs of rows to render in this scrolling box, and the height of a row. */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number, open: number) {
  const [isWhole, setWhole] = useState(false)
  const [seen, setSeen] = useState('0')
  const [focused, setFocused] = useState(0)
  const [height, setHeight] = useState(firstHeight)
  const isEmpty = count === 0
  // Renders one screen of rows first, to be faster.
  useEffect(() => {
    if (!isEmpty) startTransition(() => setWhole(true))
  }, [isEmpty])
  useLayoutEffect(() => {
    const measured = box.current?.querySelector<HTMLElement>(selector)?.offsetHeight
    if (measured) setHeight(measured)
  })
  useEffect(() => {
    const scrolled = box.current!
    const look = () => {
      const { scrollTop, clientHeight } = scrolled
      const ends = [scrollTop, scrollTop + clientHeight].map(y => chunkOf(Math.floor(y / height)))
      setSeen([...new Set(ends)].join(' '))
    }
    look()
    scrolled.addEventListener('scroll', look, { passive: true })
    return () => scrolled.removeEventListener('scroll', look)
  }, [box, height])
  const places = [...seen.split(' ').map(Number), focused, ...(open >= 0 ? [chunkOf(open)] : [])]
  return {
    runs: isWhole ? toRuns(count, places) : toRuns(Math.min(count, chunkSize), []),
    height,
    keepFocused: (target: Element) => {
      const index = target.closest<HTMLElement>(selector)?.dataset.row
      if (index !== undefined) setFocused(chunkOf(Number(index)))
    },
  }
}
