import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { historyKeys } from './query-keys.ts'

export type TicketHistory = Shape<'TicketHistory'>
export type HistoryItem = TicketHistory['items'][number]
export type FieldChange = HistoryItem['changes'][number]

const address = '/projects/{project_id}/tickets/{ticket_id}/history'

/** What changed in a ticket, newest first. */
export const historyQuery = (project_id: string, ticket_id: string) =>
  infiniteQueryOptions({
    queryKey: historyKeys.ticket(project_id, ticket_id),
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { project_id, ticket_id }, query: { before: pageParam ?? undefined } }
      return take(api.GET(address, { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.id : undefined),
  })

/** How many of the newest changes are searched for the one just made. */
const maxNewerChanges = 50

/** The change that this operator made at this time, which became the ticket's `updated_at`. */
export async function findOwnChange(
  project_id: string,
  ticket_id: string,
  operatorId: string,
  at: string,
): Promise<HistoryItem | undefined> {
  const params = { path: { project_id, ticket_id }, query: { limit: maxNewerChanges } }
  const { items } = await take(api.GET(address, { params }))
  return items.find(({ by, ...item }) => by.type === 'operator' && by.id === operatorId && item.at === at)
}
