import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { organizationKeys } from '../organizations/query-keys.ts'
import { contactKeys } from './query-keys.ts'

export type Organization = Shape<'Organization'>
export type OrganizationChange = Shape<'OrganizationChange'>

const listPath = '/projects/{project_id}/organizations'
const pageSize = 50

export const organizationsQuery = (project_id: string, q: string) =>
  infiniteQueryOptions({
    queryKey: organizationKeys.list(project_id, q),
    queryFn: ({ pageParam, signal }) => {
      const query = { q: q || undefined, page_size: pageSize, count: false, cursor: pageParam ?? undefined }
      return take(api.GET(listPath, { params: { path: { project_id }, query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
    placeholderData: keepPreviousData,
  })

/** The first organizations that match what is being typed into a field. */
export const organizationChoicesQuery = (project_id: string, q: string) =>
  queryOptions({
    queryKey: organizationKeys.choices(project_id, q),
    queryFn: async ({ signal }) => {
      const query = { q: q || undefined, page_size: 20, count: false }
      return (await take(api.GET(listPath, { params: { path: { project_id }, query }, signal }))).items
    },
    placeholderData: keepPreviousData,
  })

export const organizationQuery = (project_id: string, organization_id: string) =>
  queryOptions({
    queryKey: organizationKeys.organization(project_id, organization_id),
    queryFn: ({ signal }) =>
      take(
        api.GET('/projects/{project_id}/organizations/{organization_id}', {
          params: { path: { project_id, organization_id } },
          signal,
        }),
      ),
  })

export const membersQuery = (project_id: string, organization_id: string) =>
  infiniteQueryOptions({
    queryKey: contactKeys.members(project_id, organization_id),
    queryFn: ({ pageParam, signal }) => {
      const query = { organization_id, page_size: pageSize, count: false, cursor: pageParam ?? undefined }
      return take(
        api.GET('/projects/{project_id}/contacts', { params: { path: { project_id }, query }, signal }),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
  })

export const organizationTicketsQuery = (project_id: string, organization_id: string) =>
  queryOptions({
    queryKey: contactKeys.organizationTickets(project_id, organization_id),
    queryFn: async ({ signal }) => {
      const query = { organization_id: [organization_id], page_size: 20, count: false }
      const params = { path: { project_id }, query }
      return (await take(api.GET('/projects/{project_id}/tickets', { params, signal }))).items
    },
  })
