import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { customFieldKeys } from '../custom-fields/query-keys.ts'
import { contactKeys } from './query-keys.ts'

export type Contact = Shape<'Contact'>
export type ContactChange = Shape<'ContactChange'>
export type Field = Shape<'CustomField'>

const pageSize = 50

export const contactsQuery = (project_id: string, q: string) =>
  infiniteQueryOptions({
    queryKey: contactKeys.list(project_id, q),
    queryFn: ({ pageParam, signal }) => {
      const query = { q: q || undefined, page_size: pageSize, count: false, cursor: pageParam ?? undefined }
      return take(
        api.GET('/projects/{project_id}/contacts', { params: { path: { project_id }, query }, signal }),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
    placeholderData: keepPreviousData,
  })

export const contactQuery = (project_id: string, contact_id: string) =>
  queryOptions({
    queryKey: contactKeys.contact(project_id, contact_id),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/contacts/{contact_id}', {
          params: { path: { project_id, contact_id } },
          signal,
        }),
      ),
  })

export const contactTicketsQuery = (project_id: string, contact_id: string) =>
  queryOptions({
    queryKey: contactKeys.tickets(project_id, contact_id),
    queryFn: async ({ signal }) => {
      const params = { path: { project_id, contact_id }, query: { page_size: 50, count: false } }
      const address = '/projects/{project_id}/contacts/{contact_id}/tickets'
      return (await take(api.GET(address, { params, signal }))).items
    },
  })

/** The data of the panel beside a conversation, in one response. */
export const contextQuery = (project_id: string, ticket_id: string) =>
  queryOptions({
    queryKey: contactKeys.ofTicket(project_id, ticket_id),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/tickets/{ticket_id}/context', {
          params: { path: { project_id, ticket_id } },
          signal,
        }),
      ),
  })

export const fieldsQuery = (project_id: string) =>
  queryOptions({
    queryKey: customFieldKeys.list(project_id),
    queryFn: async ({ signal }) =>
      (
        await take(
          api.GET('/projects/{project_id}/custom-fields', { params: { path: { project_id } }, signal }),
        )
      ).items,
    staleTime: 60_000,
  })
