import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { ratingInput } from '../../tickets/schema.ts'
import type { ChatDeps } from './deps.ts'
import { requestingVisitor } from './gate.ts'
import { newVisitorTicket } from './request-schema.ts'
import {
  createVisitorTicket,
  getVisitorTicket,
  listVisitorTickets,
  rateAsVisitor,
  readAsVisitor,
} from './tickets.ts'
import { requestTranscript } from './transcripts.ts'
import { visitorTicket, visitorTickets } from './visitor-ticket-schema.ts'

const tag = 'Tickets'

const beginning = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/tickets',
    tag,
    summary: 'Create a ticket with its first message',
    body: newVisitorTicket,
    responses: { 201: visitorTicket, 200: visitorTicket },
    errors: [
      'MESSAGE_EMPTY',
      'VALIDATION_ERROR',
      'TICKET_LIMIT_REACHED',
      'VISITOR_BLOCKED',
      'NOT_POSSIBLE',
      'RATE_LIMIT_EXCEEDED',
    ],
    isIdempotent: true,
    async run(call) {
      const { ticket, isNew } = await createVisitorTicket(deps, call, requestingVisitor(call), call.body)
      call.reply.code(isNew ? 201 : 200)
      return ticket
    },
  })

const transcript = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/transcript',
    tag,
    summary: 'Email a copy of the conversation to its contact',
    description:
      'An operator must have replied first. At most one copy per ticket is sent in 10 minutes, and 5 copies per contact in a day.',
    responses: { 204: null },
    errors: ['TICKET_NOT_FOUND', 'NOT_POSSIBLE', 'VISITOR_BLOCKED', 'RATE_LIMIT_EXCEEDED'],
    run: call => requestTranscript(deps, call, requestingVisitor(call), call.params.ticket_id!),
  })

const others: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets',
    tag,
    summary: 'List the tickets of the visitor, newest first',
    responses: { 200: visitorTickets },
    errors: [],
    run: call => listVisitorTickets(call.db, call.project.id, requestingVisitor(call)),
  }),
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}',
    tag,
    summary: 'Read a ticket',
    responses: { 200: visitorTicket },
    errors: ['TICKET_NOT_FOUND'],
    run: call => getVisitorTicket(call.db, call.project.id, requestingVisitor(call), call.params.ticket_id!),
  }),
  endpoint({
    method: 'PUT',
    path: '/tickets/{ticket_id}/read',
    tag,
    summary: 'Mark a ticket as read by the visitor',
    responses: { 204: null },
    errors: ['TICKET_NOT_FOUND'],
    run: call => readAsVisitor(call.db, call.project.id, requestingVisitor(call), call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/rating',
    tag,
    summary: 'Rate a closed ticket',
    description: 'A second rating replaces the first.',
    body: ratingInput,
    responses: { 200: visitorTicket },
    errors: ['TICKET_NOT_FOUND', 'NOT_POSSIBLE', 'VISITOR_BLOCKED'],
    run: call => rateAsVisitor(call.db, call, requestingVisitor(call), call.params.ticket_id!, call.body),
  }),
]

export const visitorTicketEndpoints = (deps: ChatDeps): Endpoint[] => [
  beginning(deps),
  ...others,
  transcript(deps),
]
