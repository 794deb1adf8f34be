import type { Sort } from '../tickets/order.ts'
import { useInboxPlace, useView } from './inbox.ts'
import { keepSort, sortOf } from './search.ts'

/** The order of the list, and a function that changes it. */
export function useOrder() {
  const { search, narrow, view: viewId } = useInboxPlace()
  const view = useView()
  const isSaved = view?.kind === 'saved'
  const choose = (sort: Sort) => {
    // A saved view has its own order.
    if (!search.q && !isSaved) keepSort(viewId, sort)
    void narrow({ sort: isSaved && sort === view.filters?.sort ? undefined : sort })
  }
  return { sort: sortOf(viewId, view, search), choose }
}
