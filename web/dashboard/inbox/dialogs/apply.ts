import type { Ticket, TicketChange } from '../../tickets/queries.ts'
import { actOnAll } from '../bulk.ts'
import { patch } from '../change.ts'

/** One ticket is shown as changed at once; for several, failures are listed. */
export function apply(tickets: Ticket[], change: TicketChange, expected?: Partial<Ticket>): void {
  if (tickets.length === 1) void patch(tickets[0]!, change, expected)
  else if (tickets.length > 1) void actOnAll(tickets, { action: 'change', change })
}
