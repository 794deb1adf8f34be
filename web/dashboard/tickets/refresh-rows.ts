import type { Query } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { viewKeys } from '../views/query-keys.ts'
import type { Pages } from './cache.ts'
import { type Compare, comparisonOf, usualSort } from './order.ts'
import type { Ticket, TicketFilters } from './queries.ts'
import { ticketKeys } from './query-keys.ts'

/** Brings the lists up to date after a change of some tickets. Of a long list, only these are fetched, not all its pages. */

const idsPerRequest = 100

const isFilters = (value: unknown): value is TicketFilters => typeof value === 'object' && value !== null

/** How the list is sorted; null if this is not known. Searches may begin with the ticket whose number was typed. */
function findComparison(projectId: string, { view: id = 'all', sort, q }: TicketFilters): Compare | null {
  if (q !== undefined) return null
  if (sort) return comparisonOf(sort)
  const views = queryClient.getQueryData<Shape<'View'>[]>(viewKeys.list(projectId))
  const view = views?.find(one => one.id === id)
  // The id of a view that is not built in has a hyphen.
  return view || !id.includes('-') ? comparisonOf(usualSort(id, view, false)) : null
}

/** The tickets that belong to the list, with their current values. */
async function fetchRows(project_id: string, filters: TicketFilters, ids: string[]): Promise<Ticket[]> {
  const found: Ticket[] = []
  for (let at = 0; at < ids.length; at += idsPerRequest) {
    const some = { ids: ids.slice(at, at + idsPerRequest), page_size: idsPerRequest, count: false }
    const params = { path: { project_id }, query: { ...filters, ...some } }
    found.push(...(await take(api.GET('/projects/{project_id}/tickets', { params }))).items)
  }
  return found
}

/** Inserts a ticket at its place, unless that is on a page that is not loaded yet, after the row `end`. */
function insert(pages: Pages['pages'], ticket: Ticket, end: Ticket | undefined, compare: Compare): void {
  const isBefore = (row: Ticket) => compare(ticket, row) < 0
  const page = pages.find(({ items }) => items.some(isBefore))
  if (page) return void page.items.splice(page.items.findIndex(isBefore), 0, ticket)
  const last = pages.at(-1)!
  if (last.next_cursor === null || (end && compare(ticket, end) <= 0)) last.items.push(ticket)
}

function replaceRows({ pages, pageParams }: Pages, ids: string[], found: Ticket[], compare: Compare): Pages {
  const left = pages.map(page => ({ ...page, items: page.items.filter(({ id }) => !ids.includes(id)) }))
  for (const ticket of found) insert(left, ticket, pages.at(-1)!.items.at(-1), compare)
  return { pages: left, pageParams }
}

async function refreshList(projectId: string, list: Query, ids: string[]): Promise<void> {
  const { queryKey } = list
  const reload = () => queryClient.invalidateQueries({ queryKey, exact: true })
  const filters = queryKey[2]
  const compare = isFilters(filters) ? findComparison(projectId, filters) : null
  const pages = queryClient.getQueryData<Pages>(queryKey)?.pages.length ?? 0
  if (!isFilters(filters) || !compare || !list.isActive() || ids.length > (pages - 1) * idsPerRequest)
    return reload()
  try {
    const found = await fetchRows(projectId, filters, ids)
    // The next page may be loading, which would put the older rows back.
    await list.promise?.catch(() => null)
    if (list.state.fetchStatus !== 'idle') return reload()
    const updatedAt = list.state.dataUpdatedAt
    queryClient.setQueryData<Pages>(queryKey, data => data && replaceRows(data, ids, found, compare), {
      updatedAt,
    })
  } catch {
    return reload()
  }
}

async function refreshLists(projectId: string, ids: string[]): Promise<void> {
  const lists = queryClient.getQueryCache().findAll({ queryKey: ticketKeys.lists(projectId) })
  await Promise.all(lists.map(list => refreshList(projectId, list, ids)))
}

let running = Promise.resolve()

/** One after another, because an earlier response that arrives late would put back older values. */
export function refreshRows(projectId: string, ids: string[]): Promise<void> {
  running = running.then(() => refreshLists(projectId, ids))
  return running
}
