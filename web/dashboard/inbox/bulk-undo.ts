import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure, Failure } from '../core/failure.ts'
import { printNumber } from '../core/format.ts'
import { showFailure } from '../core/notice.ts'
import { type Advance, withProgress } from '../core/progress.ts'
import { text } from '../core/text.ts'
import { showToast } from '../core/toasts.ts'
import { wordKept } from '../history/undo-change.ts'
import { refreshTickets } from '../tickets/cache.ts'
import type { Ticket } from '../tickets/queries.ts'
import { showRefused } from './refused.ts'

/** Undoes an action on many tickets, page by page. */

type Result = Shape<'RunUndoResult'>['items'][number]

/** How many tickets the server undoes at once. */
const perRequest = 500

/** Adds the results to `results` until nothing is left or somebody stops it. Returns whether it was stopped. */
async function undoPages(
  project_id: string,
  run_id: string,
  results: Map<string, Result>,
  advance: Advance,
): Promise<boolean> {
  let remaining = 1
  while (remaining > 0) {
    const before = results.size
    const asked = api.POST('/projects/{project_id}/tickets/bulk/undo', {
      params: { path: { project_id } },
      body: { run_id },
    })
    const page = await take(asked)
    for (const item of page.items) results.set(item.ticket_id, item)
    if (!advance(page.items.length)) return page.remaining > 0
    // Tickets that could not be undone may stay in the run.
    remaining = results.size === before ? 0 : page.remaining
  }
  return false
}

export async function undoRun(tickets: Ticket[], runId: string, count: number): Promise<void> {
  const projectId = tickets[0]!.workspace_id
  const results = new Map<string, Result>()
  const word = (done: number) => text.undo.undoing(printNumber(done), printNumber(count))
  try {
    const isStopped = await withProgress({ total: count, perRequest, word }, advance =>
      undoPages(projectId, runId, results, advance),
    )
    report(tickets, [...results.values()], runId, isStopped)
  } catch (thrown) {
    showFailure(asFailure(thrown))
  }
  await refreshTickets(projectId)
}

function wordResult(done: number, isStopped: boolean, isAlready: boolean): string {
  if (isAlready) return text.undo.already
  return isStopped
    ? text.undo.manyUndoCanceled(printNumber(done))
    : text.undo.manyUndone(done, printNumber(done))
}

const whyOf = ({ kept, error }: Result): string => (error ? new Failure(200, error).message : wordKept(kept))

function report(tickets: Ticket[], results: Result[], runId: string, isStopped: boolean): void {
  const byId = new Map(tickets.map(ticket => [ticket.id, ticket]))
  const left = results.flatMap(result => {
    const [ticket, why] = [byId.get(result.ticket_id), whyOf(result)]
    return ticket && why ? [{ ticket, why }] : []
  })
  const done = results.filter(({ undone }) => undone.length > 0).length
  const message = wordResult(done, isStopped, results.length === 0)
  showToast({ id: `undone ${runId}`, message, seconds: 5 })
  showRefused({
    title: text.undo.manyKept(left.length, printNumber(left.length)),
    about: text.undo.keptAbout,
    tickets: left,
  })
}
