import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../core/query.ts'
import { listOutdatedKeys } from '../events/outdated-keys.ts'
import type { Ticket } from './queries.ts'
import { ticketKeys } from './query-keys.ts'

/** The cached tickets, in lists and individually. */

type Page = { items: Ticket[]; next_cursor: string | null }
type Pages = InfiniteData<Page, string | null>

const listsOf = (projectId: string) =>
  queryClient
    .getQueriesData<Pages>({ queryKey: ticketKeys.lists(projectId) })
    .flatMap(([, data]) => data?.pages ?? [])

/** The ticket in the newest list that contains it, and the time of that list. */
export function findListed(projectId: string, number: string): { ticket: Ticket; at: number } | null {
  const lists = queryClient.getQueryCache().findAll({ queryKey: ticketKeys.lists(projectId) })
  const newestFirst = lists.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const { state } of newestFirst) {
    const items = (state.data as Pages | undefined)?.pages.flatMap(page => page.items)
    const ticket = items?.find(({ short_id }) => short_id === number)
    if (ticket) return { ticket, at: state.dataUpdatedAt }
  }
  return null
}

/** A cached ticket by its id. */
export function findKnown(projectId: string, id: string): Ticket | undefined {
  const alone = queryClient.getQueriesData<Ticket>({ queryKey: ticketKeys.tickets(projectId) })
  const listed = () => listsOf(projectId).flatMap(({ items }) => items)
  return alone.map(([, data]) => data).find(one => one?.id === id) ?? listed().find(one => one.id === id)
}

/** Changes the ticket everywhere it is cached. */
export function patchTicket(projectId: string, id: string, change: Partial<Ticket>): void {
  const patch = (one: Ticket) => (one.id === id ? { ...one, ...change } : one)
  queryClient.setQueriesData<Ticket>({ queryKey: ticketKeys.tickets(projectId) }, one => one && patch(one))
  queryClient.setQueriesData<Pages>({ queryKey: ticketKeys.lists(projectId) }, data => {
    if (!data?.pages.some(({ items }) => items.some(one => one.id === id))) return data
    return { ...data, pages: data.pages.map(page => ({ ...page, items: page.items.map(patch) })) }
  })
}

/** Fetches again what a change of a ticket outdates. */
export const refreshTickets = (projectId: string) =>
  Promise.all(
    listOutdatedKeys(projectId, 'ticket.updated').map(queryKey =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
