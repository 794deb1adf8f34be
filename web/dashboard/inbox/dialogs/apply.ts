import type { Ticket, TicketChange } from '../../tickets/queries.ts'
import { actInSteps, actOnAll } from '../bulk.ts'
import { patch } from '../change.ts'
import { unselect } from '../selection.ts'

async function applyToOne(ticket: Ticket, change: TicketChange, expected?: Partial<Ticket>): Promise<void> {
  if (await patch(ticket, change, expected)) unselect(ticket.id)
}

/** One ticket is shown as changed at once; for several, failures are listed. */
export function apply(tickets: Ticket[], change: TicketChange, expected?: Partial<Ticket>): void {
  if (tickets.length === 1) void applyToOne(tickets[0]!, change, expected)
  else if (tickets.length > 1) void actOnAll(tickets, { action: 'change', change })
}

/** Applies a change that depends on the ticket. Tickets with the same change share requests. */
export function applyEach(tickets: Ticket[], changeOf: (ticket: Ticket) => TicketChange): void {
  const groups = Map.groupBy(tickets, ticket => JSON.stringify(changeOf(ticket)))
  const steps = [...groups.values()].map(some => ({
    order: { action: 'change' as const, change: changeOf(some[0]!) },
    tickets: some,
  }))
  if (tickets.length === 1) apply(tickets, changeOf(tickets[0]!))
  else if (tickets.length > 1) void actInSteps(steps)
}
