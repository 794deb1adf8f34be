import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { withProgress } from '../core/progress.ts'
import { text } from '../core/text.ts'
import { showToast } from '../core/toasts.ts'
import type { Ticket } from '../tickets/queries.ts'
import { type Open, refreshMerged } from './merge.ts'
import { showRefused } from './refused.ts'
import { clearSelection } from './selection.ts'

const pathOf = ({ workspace_id, id }: Ticket) => ({ project_id: workspace_id, ticket_id: id })

interface Outcome {
  done: Ticket[]
  refused: { ticket: Ticket; why: string }[]
}

/** One after another, until somebody stops it. */
async function each(tickets: Ticket[], act: (ticket: Ticket) => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { done: [], refused: [] }
  const word = (done: number) => text.bulk.merging(done, tickets.length)
  await withProgress({ total: tickets.length, perRequest: 1, word }, async advance => {
    for (const ticket of tickets) {
      await act(ticket).then(
        () => outcome.done.push(ticket),
        thrown => outcome.refused.push({ ticket, why: asFailure(thrown).message }),
      )
      if (!advance(1)) return
    }
  })
  return outcome
}

const listRefused = ({ refused }: Outcome): void =>
  showRefused({
    title: text.actions.failed(refused.length),
    about: text.actions.failedAbout,
    tickets: refused,
  })

/** Merges tickets into one of them, opens it, and offers to undo all of the merges. */
export async function mergeMany(sources: Ticket[], into: Ticket, open: Open): Promise<void> {
  const outcome = await each(sources, source => {
    const body = { into_ticket_id: into.id, force: into.contact_id !== source.contact_id }
    const address = '/projects/{project_id}/tickets/{ticket_id}/merge'
    return take(api.POST(address, { params: { path: pathOf(source) }, body }))
  })
  const { done } = outcome
  listRefused(outcome)
  if (done.length > 0) {
    clearSelection()
    void open(into.short_id)
    showToast({
      id: `merged into ${into.id}`,
      message: text.bulk.mergedMany(done.length, into.short_id),
      seconds: 20,
      undo: () => unmergeMany(done),
    })
  }
  await refreshMerged(into)
}

async function unmergeMany(sources: Ticket[]): Promise<void> {
  const outcome = await each(sources, source => {
    const address = '/projects/{project_id}/tickets/{ticket_id}/unmerge'
    return take(api.POST(address, { params: { path: pathOf(source) } }))
  })
  listRefused(outcome)
  if (outcome.done.length > 0)
    showToast({
      id: `unmerged ${sources[0]!.id}`,
      message: text.actions.unmerged,
      seconds: 5,
    })
  await refreshMerged(sources[0]!)
}
