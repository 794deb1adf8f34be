import { useEffect, useEffectEvent } from 'react'
import { createStore } from '../core/store.ts'
import type { DraftPlace } from './draft.ts'

/** The composer of the open ticket, into which other parts of the page can insert text. */
interface InsertionTarget {
  place: DraftPlace
  insert(words: string): void
}

const target = createStore<InsertionTarget | null>(null)

export const findInsertionTarget = target.get

/** Offers the composer to other parts of the page while it is shown. */
export function useInsertionTarget(place: DraftPlace, insert: (words: string) => void): void {
  const run = useEffectEvent(insert)
  useEffect(() => {
    const own = { place, insert: (words: string) => run(words) }
    target.set(own)
    return () => {
      if (target.get() === own) target.set(null)
    }
  }, [place])
}
