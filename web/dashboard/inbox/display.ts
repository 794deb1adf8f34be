import { useMediaQuery } from '@mantine/hooks'
import { usePreferences } from '../core/preferences.ts'
import type { View } from '../views/queries.ts'
import { useInboxPlace, useView } from './inbox.ts'

/** How the tickets of a view are shown. */
export interface Display {
  layout: 'list' | 'table'
  density: 'comfortable' | 'compact'
  /** The columns of the table in their order; null for the usual ones. */
  columns: string[] | null
}

const first: Display = { layout: 'list', density: 'comfortable', columns: null }

/** All views that are not saved share one display in this browser. */
export const placeOf = (view: View | undefined): string => (view?.kind === 'saved' ? view.id : 'inbox')

/** A saved view keeps its display for everybody, unless this browser has another one for it. */
export function useOwnDisplay(): Display {
  const view = useView()
  const kept = usePreferences().displays[placeOf(view)]
  const saved = view?.kind === 'saved' ? view : undefined
  return {
    layout: kept?.layout ?? saved?.layout ?? first.layout,
    density: kept?.density ?? saved?.density ?? first.density,
    columns: kept?.columns ?? saved?.columns ?? first.columns,
  }
}

/** The display that has enough space where the list is now. Beside a ticket and on a phone, it is always a list. */
export function useDisplay(): Display {
  const display = useOwnDisplay()
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { number } = useInboxPlace()
  return isNarrow || number !== undefined ? { ...display, layout: 'list' } : display
}
