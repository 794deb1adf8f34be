import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { findListed } from './cache.ts'

export type Ticket = Shape<'Ticket'>
export type Status = Ticket['status']
export type Priority = Ticket['priority']
export type TicketChange = Shape<'TicketChange'>
export type TicketFilters = Omit<
  NonNullable<paths['/projects/{project_id}/tickets']['get']['parameters']['query']>,
  'page' | 'page_size' | 'cursor' | 'count'
>

const pageSize = 40

/** The tickets of a view, page by page. */
export const ticketsQuery = (project_id: string, filters: TicketFilters) =>
  infiniteQueryOptions({
    queryKey: ['tickets', project_id, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, count: false, page_size: pageSize, cursor: pageParam ?? undefined }
      return take(
        api.GET('/projects/{project_id}/tickets', { params: { path: { project_id }, query }, signal }),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
    placeholderData: filters.q ? keepPreviousData : undefined,
  })

/** One ticket, by its number; what a list knows of it is shown until it has come. */
export const ticketQuery = (project_id: string, number: string) =>
  queryOptions({
    queryKey: ['ticket', project_id, number],
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/tickets/{ticket_id}', {
          params: { path: { project_id, ticket_id: number } },
          signal,
        }),
      ),
    placeholderData: () => findListed(project_id, number),
  })
