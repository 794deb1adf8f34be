import type { TicketFilters, TicketPriority, TicketStatus } from '../tickets/queries.ts'

/** The filters of a view, as in the URL. */
export interface TicketSearch {
  q?: string
  status?: TicketStatus
  priority?: TicketPriority
  tag?: string
  operator?: string
  unread?: true
  sort?: Sort
}
export type Sort = NonNullable<TicketFilters['sort']>

export const statuses: TicketStatus[] = ['new', 'open', 'pending', 'on_hold', 'closed']
export const priorities: TicketPriority[] = ['urgent', 'high', 'normal', 'low']
export const sorts: Sort[] = ['-last_message_at', 'last_message_at', '-created_at', 'created_at']

const oneOf = <T extends string>(value: unknown, words: T[]): T | undefined =>
  words.find(word => word === value)

const word = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined

export function readSearch(given: Record<string, unknown>): TicketSearch {
  const search: TicketSearch = {
    q: word(given.q),
    status: oneOf(given.status, statuses),
    priority: oneOf(given.priority, priorities),
    tag: word(given.tag),
    operator: word(given.operator),
    unread: given.unread === true || undefined,
    sort: oneOf(given.sort, sorts),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

/** The parameters of the list: the view and its filters. */
export const toFilters = (view: string, search: TicketSearch): TicketFilters => ({
  view,
  ...(search.sort && { sort: search.sort }),
  ...(search.q && { q: search.q }),
  ...(search.status && { status: [search.status] }),
  ...(search.priority && { priority: [search.priority] }),
  ...(search.tag && { tag: [search.tag] }),
  ...(search.operator && { operator_id: [search.operator] }),
  ...(search.unread && { unread: true }),
})

/** The number of active filters, without the search words. */
export const countFilters = ({ q, sort, ...rest }: TicketSearch): number => Object.keys(rest).length
