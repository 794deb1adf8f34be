import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePreferences } from '../core/preferences.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Ticket, type TicketFilters, ticketsQuery } from '../tickets/queries.ts'
import { type View, viewsQuery } from '../views/queries.ts'
import { type Group, itemsOf } from './conditions/condition.ts'
import { splitFilters } from './conditions/old-filters.ts'
import { type TicketSearch, toFilters } from './search.ts'
import { nameOfView } from './views.ts'

export const useViews = (): View[] => useQuery(viewsQuery(useProject().id)).data ?? []

/** The open view; undefined if it does not exist any more. */
export function useView(): View | undefined {
  const { view } = useInboxPlace()
  return useViews().find(({ id }) => id === view)
}

/** The name of the open view, or of a list that the first screen has opened. */
export function useViewName(): string {
  const view = useView()
  const { view: id } = useInboxPlace()
  return view ? nameOfView(view) : (text.inbox.dayViews[id] ?? text.inbox.tickets)
}

/** The open view, its filters, and the open ticket. */
export function useInboxPlace() {
  const { projectId = '', view = 'open', number } = useParams({ strict: false })
  const search: TicketSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    projectId,
    view,
    number,
    search,
    openTicket: (next: string | null, replace = false) =>
      navigate(
        next === null
          ? { to: '/p/$projectId/inbox/$view', params: { projectId, view }, search }
          : {
              to: '/p/$projectId/inbox/$view/$number',
              params: { projectId, view, number: next },
              search,
              replace,
            },
      ),
    /** Searches all tickets for the same words, or for others. */
    searchAll: (q = search.q) =>
      navigate({ to: '/p/$projectId/inbox/$view', params: { projectId, view: 'all' }, search: { q } }),
    narrow: (change: TicketSearch, replace = true) =>
      navigate({ to: '.', search: { ...search, ...change }, replace }),
  }
}

/** The parameters of the list that is shown. */
export function useListFilters(): TicketFilters {
  const { view, search } = useInboxPlace()
  return toFilters(view, search, useView())
}

/** The conditions of the list. A saved view has its own, until others replace them in the URL. */
export function useConditions() {
  const { search, narrow } = useInboxPlace()
  const view = useView()
  const filters = view?.kind === 'saved' ? view.filters : null
  const own = useMemo(() => splitFilters(filters).group ?? noConditions, [filters])
  const isOwn = (group: Group) =>
    JSON.stringify(group) === JSON.stringify(own) || itemsOf(group).length + itemsOf(own).length === 0
  return {
    conditions: search.conditions ?? own,
    isChanged: filters !== null && (search.conditions !== undefined || search.sort !== undefined),
    /** With `replace`, the change replaces the current entry of the browser's history. */
    change: (next: Group, replace = false) => narrow({ conditions: isOwn(next) ? undefined : next }, replace),
  }
}

const noConditions: Group = { all: [] }

const noTickets: Ticket[] = []

/** The loaded rows of the open view. */
export function useTicketList() {
  const { projectId } = useInboxPlace()
  // Renders again when another order is chosen.
  usePreferences()
  const query = useInfiniteQuery(ticketsQuery(projectId, useListFilters()))
  const { data } = query
  const tickets = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? noTickets, [data])
  return { ...query, tickets }
}

/** The tickets above and below the open one. */
export function useNeighbours(number: string) {
  const { tickets } = useTicketList()
  const at = tickets.findIndex(one => one.short_id === number)
  return {
    previous: at > 0 ? tickets[at - 1] : undefined,
    next: at < 0 ? tickets[0] : tickets[at + 1],
  }
}
