import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { type Ticket, ticketsQuery } from './queries.ts'
import { type TicketSearch, toFilters } from './search.ts'
import { builtIn, icons, type View } from './views.ts'

/** The views of the reader, in the order of their list. */
export function useViews(): { built: View[]; departments: View[] } {
  const { id, operatorId } = useProject()
  const { data = [] } = useQuery(departmentsQuery(id))
  return useMemo(() => {
    const departments = data.map(one => ({
      id: one.id,
      name: one.name,
      icon: icons.department,
      filters: { department_id: [one.id], status: builtIn(operatorId)[0]!.filters.status },
    }))
    return { built: builtIn(operatorId), departments }
  }, [data, operatorId])
}

export function useView(): View {
  const { view = 'open' } = useParams({ strict: false })
  const { built, departments } = useViews()
  return [...built, ...departments].find(({ id }) => id === view) ?? built[2]!
}

/** Which view, how narrowed, and which ticket of it is open. */
export function useInboxPlace() {
  const { projectId = '', view = 'open', number } = useParams({ strict: false })
  const search: TicketSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    projectId,
    view,
    number,
    search,
    openTicket: (next: string | null) =>
      navigate(
        next === null
          ? { to: '/p/$projectId/inbox/$view', params: { projectId, view }, search }
          : { to: '/p/$projectId/inbox/$view/$number', params: { projectId, view, number: next }, search },
      ),
    narrow: (change: TicketSearch) => navigate({ to: '.', search: { ...search, ...change }, replace: true }),
  }
}

const none: Ticket[] = []

/** The rows of the open view as far as they are loaded. */
export function useTicketList() {
  const { projectId, search } = useInboxPlace()
  const { filters } = useView()
  const query = useInfiniteQuery(ticketsQuery(projectId, toFilters(filters, search)))
  const { data } = query
  const tickets = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? none, [data])
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
