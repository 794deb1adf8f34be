import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../projects/project.ts'
import { type Ticket, ticketsQuery } from '../tickets/queries.ts'
import { type View, viewsQuery } from '../views/queries.ts'
import { type TicketSearch, toFilters } from './search.ts'

export const useViews = (): View[] => useQuery(viewsQuery(useProject().id)).data ?? []

/** The open view; undefined if it does not exist any more. */
export function useView(): View | undefined {
  const { view } = useInboxPlace()
  return useViews().find(({ id }) => id === view)
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
    /** Searches all tickets for the same words. */
    searchAll: () =>
      navigate({
        to: '/p/$projectId/inbox/$view',
        params: { projectId, view: 'all' },
        search: { q: search.q },
      }),
    narrow: (change: TicketSearch) => navigate({ to: '.', search: { ...search, ...change }, replace: true }),
  }
}

const noTickets: Ticket[] = []

/** The loaded rows of the open view. */
export function useTicketList() {
  const { projectId, view, search } = useInboxPlace()
  const query = useInfiniteQuery(ticketsQuery(projectId, toFilters(view, search)))
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
