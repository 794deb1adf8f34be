import { queryClient } from '../core/query.ts'
import { prefetchConversation } from '../messages/queries.ts'
import { ticketQuery, ticketsQuery } from '../tickets/queries.ts'
import { viewsQuery } from '../views/queries.ts'
import { readSearch, toFilters } from './search.ts'

export const loadTicketPage = () => import('./ticket-page.tsx')

const address = /^\/p\/([^/]+)\/inbox\/([^/]+)(?:\/(\d+))?/

const isId = /^[0-9a-f]{8}-/

/** Requests the data of the inbox while its scripts are still loading. */
export function preloadInbox(pathname: string, search: object): void {
  const [, projectId, view, number] = address.exec(pathname) ?? []
  if (!projectId || !view) return
  const read = readSearch(search as Record<string, unknown>)
  // Whether a saved view's own conditions are replaced is known only after the views have been loaded.
  if (!read.conditions || !isId.test(view))
    void queryClient.prefetchInfiniteQuery(ticketsQuery(projectId, toFilters(view, read)))
  void queryClient.prefetchQuery(viewsQuery(projectId))
  if (!number) return
  // If this fails, the route tries again and reports it.
  loadTicketPage().catch(() => null)
  void queryClient.prefetchQuery(ticketQuery(projectId, number))
  prefetchConversation(projectId, number)
}
