import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure, Failure } from '../core/failure.ts'
import { showFailure, showNotice } from '../core/notice.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { refreshTickets } from '../tickets/cache.ts'
import type { Ticket } from '../tickets/queries.ts'
import { clearSelection } from './selection.ts'

export type Bulk =
  paths['/projects/{project_id}/tickets/bulk']['post']['requestBody']['content']['application/json']

type Result = Shape<'BulkResults'>['items'][number]
export interface Refused {
  ticket: Ticket
  why: string
}

/** The tickets that the last bulk change could not change. */
const refused = createStore<Refused[]>([])
export const useRefused = refused.use
export const forgetRefused = (): void => refused.set([])

const maxTicketsAtOnce = 100

/** Applies an action to many tickets; those for which it failed are listed. */
export async function actOnAll(tickets: Ticket[], order: Omit<Bulk, 'ticket_ids'>): Promise<void> {
  const project_id = tickets[0]!.workspace_id
  const results: Result[] = []
  try {
    for (let at = 0; at < tickets.length; at += maxTicketsAtOnce) {
      const ticket_ids = tickets.slice(at, at + maxTicketsAtOnce).map(({ id }) => id)
      const asked = api.POST('/projects/{project_id}/tickets/bulk', {
        params: { path: { project_id } },
        body: { ...order, ticket_ids },
      })
      results.push(...(await take(asked)).items)
    }
  } catch (failure) {
    showFailure(asFailure(failure))
  }
  report(tickets, results)
  await refreshTickets(project_id)
}

function report(tickets: Ticket[], results: Result[]): void {
  const failed = results.flatMap(({ ticket_id, error }) => {
    const ticket = tickets.find(({ id }) => id === ticket_id)
    return error && ticket ? [{ ticket, why: new Failure(200, error).message }] : []
  })
  const done = results.length - failed.length
  if (done > 0) showNotice(text.actions.done(done))
  if (failed.length === 0 && done > 0) clearSelection()
  refused.set(failed)
}
