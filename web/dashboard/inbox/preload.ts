import { queryClient } from '../core/query.ts'
import { prefetchConversation } from '../messages/queries.ts'
import { ticketQuery, ticketsQuery } from '../tickets/queries.ts'
import { viewsQuery } from '../views/queries.ts'
import { readSearch, toFilters } from './search.ts'

export const loadTicketPage = () => import('./ticket-page.tsx')

const address = /^\/p\/([^/]+)\/inbox\/([^/]+)(?:\/(\d+))?/

/** Requests the data of the inbox while its scripts are still loading. */
export function preloadInbox(pathname: string, search: object): void {
  const [, projectId, view, number] = address.exec(pathname) ?? []
  if (!projectId || !view) return
  const filters = toFilters(view, readSearch(search as Record<string, unknown>))
  void queryClient.prefetchInfiniteQuery(ticketsQuery(projectId, filters))
  void queryClient.prefetchQuery(viewsQuery(projectId))
  if (!number) return
  // If this fails, the route tries again and reports it.
  loadTicketPage().catch(() => null)
  void queryClient.prefetchQuery(ticketQuery(projectId, number))
  prefetchConversation(projectId, number)
}
