import type { LogReader } from '../events/cursor.ts'
import { insertReplyFacts, insertTicketFacts } from './fact-queries.ts'

const kinds: Record<string, string> = {
  'ticket.created': 'created',
  'ticket.closed': 'closed',
  'ticket.reopened': 'reopened',
  'ticket.assigned': 'assigned',
  'ticket.rated': 'rated',
}

/** Writes `report_facts`: what reports count, with the ticket as it was at that time (decision 75). */
export const factsReader: LogReader = {
  name: 'facts',
  async handle(sql, projectId, events) {
    const ofTickets = events.filter(({ type }) => type in kinds).map(({ seq }) => seq)
    const messages = events.filter(({ type }) => type === 'message.created').map(({ seq }) => seq)
    if (ofTickets.length) await insertTicketFacts(sql, projectId, ofTickets, kinds)
    if (messages.length) await insertReplyFacts(sql, projectId, messages)
  },
}
