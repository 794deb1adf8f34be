import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { printNumber } from '../core/format.ts'
import { showFailure } from '../core/notice.ts'
import { type Advance, withProgress } from '../core/progress.ts'
import { text } from '../core/text.ts'
import type { Ticket, TicketFilters } from '../tickets/queries.ts'
import { selectTickets } from './selection.ts'

const pageSize = 100

const readPage = (project_id: string, filters: TicketFilters, cursor: string | null) =>
  take(
    api.GET('/projects/{project_id}/tickets', {
      params: {
        path: { project_id },
        query: { ...filters, count: false, page_size: pageSize, cursor: cursor ?? undefined },
      },
    }),
  )

/** All tickets of a view; null if somebody stopped it. */
async function readAll(
  project_id: string,
  filters: TicketFilters,
  advance: Advance,
): Promise<Ticket[] | null> {
  const tickets: Ticket[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(project_id, filters, cursor)
    tickets.push(...page.items)
    if (!advance(page.items.length)) return null
    cursor = page.next_cursor
  } while (cursor !== null)
  return tickets
}

/** Selects all tickets of a view, including those that the list has not loaded. */
export async function selectWholeView(projectId: string, filters: TicketFilters): Promise<void> {
  const word = (done: number) => text.undo.finding(printNumber(done))
  // Counting them first could take longer than reading them.
  const total = Number.POSITIVE_INFINITY
  try {
    const tickets = await withProgress({ total, perRequest: pageSize, word }, advance =>
      readAll(projectId, filters, advance),
    )
    if (tickets) selectTickets(tickets)
  } catch (thrown) {
    showFailure(asFailure(thrown))
  }
}
