import type { InfiniteData } from '@tanstack/react-query'
import { queryClient, refetchOutdated } from '../core/query.ts'
import type { Key } from '../core/query-key.ts'
import { listOutdatedKeys } from '../events/outdated-keys.ts'
import type { Ticket } from './queries.ts'
import { ticketKeys } from './query-keys.ts'

/** The cached tickets, in lists and individually. */

type Page = { items: Ticket[]; next_cursor: string | null }
export type Pages = InfiniteData<Page, string | null>

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

/** Repeats a request for the ticket that is in progress, because it may have begun before the change that was just saved. */
export function repeatTicketRequest(projectId: string, number: string): void {
  const queryKey = ticketKeys.ticket(projectId, number)
  if (queryClient.isFetching({ queryKey })) void queryClient.invalidateQueries({ queryKey })
}

/** Brings the lists up to date after a change of these tickets. */
export const refreshLists = (projectId: string, ids: string[]): Promise<void> =>
  import('./refresh-rows.ts').then(
    ({ refreshRows }) => refreshRows(projectId, ids),
    () => queryClient.invalidateQueries({ queryKey: ticketKeys.lists(projectId) }),
  )

const isOfLists = (projectId: string, key: Key): boolean =>
  JSON.stringify(key) === JSON.stringify(ticketKeys.lists(projectId))

/** The keys of all other queries, and whether the lists are among them. */
export function splitOffLists(projectId: string, keys: Key[]): { others: Key[]; hasLists: boolean } {
  const others = keys.filter(key => !isOfLists(projectId, key))
  return { others, hasLists: others.length < keys.length }
}

/** Fetches again what a change of these tickets outdates. Without ids, all pages of the lists are loaded again. */
export async function refreshTickets(projectId: string, ids?: string[]): Promise<void> {
  const keys = listOutdatedKeys(projectId, 'ticket.updated')
  const outdated = ids ? splitOffLists(projectId, keys).others : keys
  await Promise.all([...outdated.map(refetchOutdated), ...(ids ? [refreshLists(projectId, ids)] : [])])
}
