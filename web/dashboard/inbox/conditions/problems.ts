import { pageText } from '../../core/page-text.ts'
import type { View } from '../../views/queries.ts'
import { itemsOf, readGroup } from './condition.ts'
import { splitFilters } from './old-filters.ts'

/** What must be repaired in a saved view, by the index of its filter. Deleted columns are in the list of columns. */
export function listProblems(view: View): Map<number, string> {
  const { group } = splitFilters(view.filters)
  const old = itemsOf(group).length - itemsOf(readGroup(view.filters?.conditions)).length
  const ofFilters = view.problems.filter(({ loc }) => loc[0] !== 'columns')
  return new Map(
    ofFilters.map(({ loc, type }) => {
      const index = loc.find(part => typeof part === 'number') ?? 0
      return [index + old, pageText.conditions.problems[type] ?? type]
    }),
  )
}
