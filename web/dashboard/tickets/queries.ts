import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { findListed } from './cache.ts'
import { ticketKeys } from './query-keys.ts'

export type Ticket = Shape<'ListedTicket'>
export type TicketStatus = Ticket['status']
export type TicketPriority = Ticket['priority']
export type TicketChange = Shape<'TicketChange'>
export type TicketFilters = Omit<
  NonNullable<paths['/projects/{project_id}/tickets']['get']['parameters']['query']>,
  'page' | 'page_size' | 'cursor' | 'count'
>

/** The first page is small, to be fast. */
const firstPageSize = 40
const pageSize = 100

/** The tickets of a view, page by page. */
export const ticketsQuery = (project_id: string, filters: TicketFilters) =>
  infiniteQueryOptions({
    queryKey: ticketKeys.list(project_id, filters),
    queryFn: ({ pageParam, signal }) => {
      const page_size = pageParam === null ? firstPageSize : pageSize
      const query = { ...filters, count: false, page_size, cursor: pageParam ?? undefined }
      return take(
        api.GET('/projects/{project_id}/tickets', { params: { path: { project_id }, query }, signal }),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
    placeholderData: filters.q ? keepPreviousData : undefined,
  })

/** How many tickets match, unless counting takes too long. */
export const ticketCountQuery = (project_id: string, filters: TicketFilters) =>
  queryOptions({
    queryKey: ticketKeys.count(project_id, filters),
    queryFn: async ({ signal }) => {
      const params = { path: { project_id }, query: { ...filters, page_size: 1 } }
      const { total, total_capped } = await take(
        api.GET('/projects/{project_id}/tickets', { params, signal }),
      )
      return total === null ? null : { total, isCapped: total_capped ?? false }
    },
    staleTime: 0,
  })

/** One ticket by its number. A list's copy is used while it is fresh. */
export const ticketQuery = (project_id: string, number: string) =>
  queryOptions({
    queryKey: ticketKeys.ticket(project_id, number),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/tickets/{ticket_id}', {
          params: { path: { project_id, ticket_id: number } },
          signal,
        }),
      ),
    initialData: () => findListed(project_id, number)?.ticket,
    initialDataUpdatedAt: () => findListed(project_id, number)?.at,
  })

const fewTargets = 8

/** Possible targets of a merge: tickets of the same contact, or those that match the words. */
export const mergeTargetsQuery = (source: Ticket, words: string) =>
  queryOptions({
    queryKey: ticketKeys.mergeTargets(source.workspace_id, source.id, words),
    queryFn: async ({ signal }) => {
      const path = { project_id: source.workspace_id }
      const query = {
        page_size: fewTargets,
        count: false,
        ...(words ? { q: words } : { contact_id: [source.contact_id] }),
      }
      const found = await take(api.GET('/projects/{project_id}/tickets', { params: { path, query }, signal }))
      const numbered = /^#?\d+$/.test(words)
        ? await findByNumber(source.workspace_id, words.replace('#', ''))
        : []
      const all = [...numbered, ...found.items]
      return all.filter(({ id, merged_into_id }) => id !== source.id && merged_into_id === null)
    },
  })

const findByNumber = (projectId: string, number: string): Promise<Ticket[]> =>
  queryClient.fetchQuery(ticketQuery(projectId, number)).then(
    ticket => [ticket],
    () => [],
  )
