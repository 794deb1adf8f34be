import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { tellFailure } from '../core/notice.ts'
import { loadNewer } from '../messages/queries.ts'
import { patchTicket, refreshTickets } from './cache.ts'
import type { Ticket, TicketChange } from './queries.ts'

/** Changes of tickets: shown at once, and taken back when the server says no. */

const pathOf = ({ workspace_id, id }: Ticket) => ({ project_id: workspace_id, ticket_id: id })

/** The answer stands in every list; false when it failed, which has been said. */
async function change(
  ticket: Ticket,
  expected: Partial<Ticket>,
  ask: () => Promise<Ticket>,
): Promise<boolean> {
  const { workspace_id: projectId, id } = ticket
  patchTicket(projectId, id, expected)
  try {
    const changed = await ask()
    patchTicket(projectId, changed.id, changed)
    return true
  } catch (thrown) {
    patchTicket(projectId, id, ticket)
    tellFailure(asFailure(thrown))
    return false
  } finally {
    void refreshTickets(projectId)
    void loadNewer(projectId, ticket.short_id)
  }
}

export const patch = (ticket: Ticket, body: TicketChange, expected = body as Partial<Ticket>) =>
  change(ticket, expected, () =>
    take(api.PATCH('/projects/{project_id}/tickets/{ticket_id}', { params: { path: pathOf(ticket) }, body })),
  )

export const close = (ticket: Ticket) =>
  change(ticket, { status: 'closed' }, () =>
    take(api.POST('/projects/{project_id}/tickets/{ticket_id}/close', { params: { path: pathOf(ticket) } })),
  )

export const reopen = (ticket: Ticket) =>
  change(ticket, { status: 'open' }, () =>
    take(api.POST('/projects/{project_id}/tickets/{ticket_id}/reopen', { params: { path: pathOf(ticket) } })),
  )

export const takeTicket = (ticket: Ticket) =>
  change(ticket, {}, () =>
    take(api.POST('/projects/{project_id}/tickets/{ticket_id}/take', { params: { path: pathOf(ticket) } })),
  )

export const takeOver = (ticket: Ticket) =>
  change(ticket, {}, () =>
    take(
      api.POST('/projects/{project_id}/tickets/{ticket_id}/force-take', { params: { path: pathOf(ticket) } }),
    ),
  )

export const transfer = (ticket: Ticket, department_id: string, operator_id: string | null) =>
  change(ticket, {}, () =>
    take(
      api.POST('/projects/{project_id}/tickets/{ticket_id}/transfer', {
        params: { path: pathOf(ticket) },
        body: { department_id, operator_id },
      }),
    ),
  )
