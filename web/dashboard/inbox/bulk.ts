import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure, Failure } from '../core/failure.ts'
import { printNumber } from '../core/format.ts'
import { newId } from '../core/id.ts'
import { showFailure } from '../core/notice.ts'
import { withProgress } from '../core/progress.ts'
import { createSequence } from '../core/sequential.ts'
import { text } from '../core/text.ts'
import { showToast } from '../core/toasts.ts'
import { refreshTickets } from '../tickets/cache.ts'
import type { Ticket } from '../tickets/queries.ts'
import { undoRun } from './bulk-undo.ts'
import { undoSeconds } from './offer-undo.ts'
import { showRefused } from './refused.ts'
import { clearSelection } from './selection.ts'

export type Bulk =
  paths['/projects/{project_id}/tickets/bulk']['post']['requestBody']['content']['application/json']

export type Order = Omit<Bulk, 'ticket_ids' | 'run_id'>
type Result = Shape<'BulkResults'>['items'][number]

/** An action, and the tickets to apply it to. */
export interface BulkStep {
  order: Order
  tickets: Ticket[]
}

const maxTicketsAtOnce = 100

/** The requests of a run. Each contains the run's id, by which the run can be undone. */
const listRequests = (run_id: string, steps: BulkStep[]): Bulk[] =>
  steps.flatMap(({ order, tickets }) => {
    const requests: Bulk[] = []
    for (let at = 0; at < tickets.length; at += maxTicketsAtOnce) {
      const ticket_ids = tickets.slice(at, at + maxTicketsAtOnce).map(({ id }) => id)
      requests.push({ ...order, run_id, ticket_ids })
    }
    return requests
  })

/** Applies an action to many tickets. Those for which it failed are listed, and the others can be undone. */
export const actOnAll = (tickets: Ticket[], order: Order, leftOut?: string): Promise<void> =>
  actInSteps([{ order, tickets }], leftOut)

/** One run after another, in the order in which they were started. */
const inTurn = createSequence()

/** Applies several actions to different tickets in one run, which is undone as a whole. `leftOut` is added to the message about it. */
export const actInSteps = (steps: BulkStep[], leftOut?: string): Promise<void> =>
  inTurn('bulk', () => run(steps, leftOut))

async function run(steps: BulkStep[], leftOut: string | undefined): Promise<void> {
  const run_id = newId()
  const tickets = steps.flatMap(step => step.tickets)
  const project_id = tickets[0]!.workspace_id
  const results: Result[] = []
  const word = (done: number) => text.undo.changing(printNumber(done), printNumber(tickets.length))
  await withProgress({ total: tickets.length, perRequest: maxTicketsAtOnce, word }, async advance => {
    for (const body of listRequests(run_id, steps)) {
      const asked = api.POST('/projects/{project_id}/tickets/bulk', {
        params: { path: { project_id } },
        body,
      })
      const { items } = await take(asked)
      results.push(...items)
      if (!advance(items.length)) return
    }
  }).catch(failure => showFailure(asFailure(failure)))
  report(steps, { tickets, leftOut }, results, run_id)
  await refreshTickets(
    project_id,
    tickets.map(({ id }) => id),
  )
}

/** Whether the action only marks tickets as read or unread for one person. Such marks have no history. */
const isMark = ({ order: { action } }: BulkStep): boolean => action === 'read' || action === 'unread'

interface Asked {
  tickets: Ticket[]
  leftOut: string | undefined
}

function report(steps: BulkStep[], asked: Asked, results: Result[], runId: string): void {
  const { tickets } = asked
  const byId = new Map(tickets.map(ticket => [ticket.id, ticket]))
  const failed = results.flatMap(({ ticket_id, error }) => {
    const ticket = byId.get(ticket_id)
    return error && ticket ? [{ ticket, why: new Failure(200, error).message }] : []
  })
  const done = results.length - failed.length
  if (done > 0) offerRunUndo(steps, asked, { runId, done, isWhole: results.length === tickets.length })
  if (failed.length === 0 && done > 0) clearSelection()
  showRefused({
    title: text.actions.failed(failed.length),
    about: text.actions.failedAbout,
    tickets: failed,
  })
}

interface DoneRun {
  runId: string
  done: number
  /** False if somebody stopped it. */
  isWhole: boolean
}

function offerRunUndo(
  steps: BulkStep[],
  { tickets, leftOut }: Asked,
  { runId, done, isWhole }: DoneRun,
): void {
  const isClosing = steps.every(({ order: { action } }) => action === 'close')
  const word = isClosing ? text.undo.manyClosed : text.undo.manyDone
  const what = isWhole
    ? word(done, printNumber(done))
    : text.undo.manyCanceled(printNumber(done), printNumber(tickets.length))
  const message = leftOut ? `${what}. ${leftOut}` : what
  const undo = steps.some(isMark) ? undefined : () => undoRun(tickets, runId, done)
  showToast({ id: `run ${runId}`, message, seconds: undoSeconds, undo })
}
