import { preference } from '../core/preferences.ts'
import { dayFilters } from '../tickets/day-range.ts'
import { type Sort, usualSort } from '../tickets/order.ts'
import type { TicketFilters, TicketPriority, TicketStatus } from '../tickets/queries.ts'
import type { View } from '../views/queries.ts'
import { type Group, itemsOf, readGroup } from './conditions/condition.ts'
import { addOldFilters, splitFilters, withoutOldFilters } from './conditions/old-filters.ts'

/** The filters of a view, as in the URL. */
export interface TicketSearch {
  q?: string
  /** In a saved view, they replace those of the view. */
  conditions?: Group
  sort?: Sort
}

export const statuses: TicketStatus[] = ['new', 'open', 'pending', 'on_hold', 'closed']
export const priorities: TicketPriority[] = ['urgent', 'high', 'normal', 'low']
export const sorts: Sort[] = [
  'waiting_since',
  '-last_message_at',
  'last_message_at',
  '-created_at',
  'created_at',
]

/** The order that the person has chosen for a view in this browser. It does not apply to a search for words. */
const findKeptSort = (view: string): Sort | undefined =>
  sorts.find(one => one === preference.get('sorts')[view])

export const keepSort = (view: string, sort: Sort): void =>
  preference.set('sorts', { ...preference.get('sorts'), [view]: sort })

/** The order of the list, as the server chooses it unless another one was chosen. */
export function sortOf(viewId: string, view: View | undefined, { sort, q }: TicketSearch): Sort {
  const kept = q ? undefined : findKeptSort(viewId)
  return sort ?? kept ?? usualSort(viewId, view, q !== undefined)
}

const word = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined

export function readSearch(given: Record<string, unknown>): TicketSearch {
  const search: TicketSearch = {
    q: word(given.q),
    conditions: addOldFilters(given, readGroup(given.conditions)),
    sort: sorts.find(one => one === given.sort),
  }
  const known = Object.entries(search).filter(([, value]) => value !== undefined)
  // The router keeps parameters that are not replaced here.
  return { ...withoutOldFilters(given), ...Object.fromEntries(known) }
}

const withSort = (sort: Sort | undefined) => sort && { sort }

/** The parameters of the list. A saved view whose conditions were changed is not named, because both would apply. */
export function toFilters(view: string, { q, conditions, sort }: TicketSearch, saved?: View): TicketFilters {
  const isReplaced = saved?.kind === 'saved' && conditions !== undefined
  return {
    ...(isReplaced ? splitFilters(saved.filters).rest : { view, ...dayFilters(view) }),
    ...withSort(sort ?? (q ? undefined : findKeptSort(view))),
    ...(q && { q }),
    ...(itemsOf(conditions).length > 0 && { conditions: JSON.stringify(conditions) }),
  }
}

/** The number of active filters, without the search words. */
export const countFilters = ({ conditions }: TicketSearch): number => itemsOf(conditions).length
