import { type Call, type Endpoint, endpoint } from '../core/endpoint.ts'
import { linkNext } from '../core/paging.ts'
import {
  closing,
  contactTicketQuery,
  merging,
  newTicket,
  ratingInput,
  reopening,
  type TicketQuery,
  ticket,
  ticketChange,
  ticketList,
  ticketQuery,
} from './schema.ts'
import {
  byKey,
  changeTicket,
  closeTicket,
  createTicket,
  getTicket,
  listContactTickets,
  mergeTicket,
  rateTicket,
  reopenTicket,
  searchTickets,
} from './tickets.ts'

const tag = 'Tickets'
const reference = 'The ticket is named by its `id` or its `short_id`.'

const withLink = async <T extends Awaited<ReturnType<typeof searchTickets>>>(
  call: Call,
  listing: Promise<T>,
) => {
  const listed = await listing
  linkNext(call.request, call.reply, listed)
  return listed
}

export const ticketEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/tickets',
    tag,
    summary: 'Create a ticket',
    description:
      'Finds or makes the contact by `external_id`, `telegram_id`, `email`, in this order. `content` and `media_ids` ' +
      'become its first message. Without `subject` the ticket is named after its content.',
    body: newTicket,
    answers: { 201: ticket },
    errors: [
      'contact_unidentified',
      'CONTACT_BLOCKED',
      'TICKET_LIMIT_REACHED',
      'MESSAGE_EMPTY',
      'VALIDATION_ERROR',
    ],
    isIdempotent: true,
    examples: {
      body: {
        contact: { email: 'ann@example.com', full_name: 'Ann Lee' },
        subject: 'Cannot pay',
        content: 'My card is refused.',
      },
    },
    run: call => createTicket(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/tickets',
    tag,
    summary: 'List and search tickets',
    query: ticketQuery,
    answers: { 200: ticketList },
    errors: [],
    run: call => withLink(call as Call, searchTickets(call.db, call.project.id, call.query as TicketQuery)),
  }),
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}',
    tag,
    summary: 'Read a ticket',
    description: reference,
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND'],
    run: ({ db, project, params }) => getTicket(db, project.id, params.ticket_id!),
  }),
  endpoint({
    method: 'PATCH',
    path: '/tickets/{ticket_id}',
    tag,
    summary: 'Change a ticket',
    description: `${reference} Only the sent fields change; \`tags\` are replaced, \`custom_fields\` merged (null deletes a key).`,
    body: ticketChange,
    answers: { 200: ticket },
    errors: [
      'TICKET_NOT_FOUND',
      'TICKET_ALREADY_CLOSED',
      'TICKET_INVALID_STATUS_TRANSITION',
      'VALIDATION_ERROR',
      'stale',
    ],
    isConditional: true,
    examples: { body: { priority: 'high', tags: ['vip'] } },
    run: call =>
      changeTicket(call.db, call.project.id, call.params.ticket_id!, call.body, byKey(call), call.version),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/close',
    tag,
    summary: 'Close a ticket',
    description: `${reference} A \`comment\` is posted first, as an internal note unless \`is_internal\` is false.`,
    body: closing,
    bodyIsOptional: true,
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'TICKET_ALREADY_CLOSED', 'MESSAGE_EMPTY'],
    examples: { body: { comment: 'Refunded.' } },
    run: call => closeTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/reopen',
    tag,
    summary: 'Reopen a closed ticket',
    description: reference,
    body: reopening,
    bodyIsOptional: true,
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'TICKET_INVALID_STATUS_TRANSITION', 'MESSAGE_EMPTY'],
    run: call => reopenTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/rate',
    tag,
    summary: 'Rate a ticket',
    description: `${reference} A second rating replaces the first.`,
    body: ratingInput,
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND'],
    examples: { body: { rating: 5, comment: 'Thanks!' } },
    run: call => rateTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/merge',
    tag,
    summary: 'Merge a ticket into another',
    description:
      'The conversation moves; this ticket is closed for good. Tickets of two contacts need `force`.',
    body: merging,
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'TICKET_INVALID_STATUS_TRANSITION', 'VALIDATION_ERROR'],
    examples: { body: { into_ticket_id: '1041' } },
    run: call => mergeTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/tickets',
    tag,
    summary: "List a contact's tickets",
    query: contactTicketQuery,
    answers: { 200: ticketList },
    errors: ['CONTACT_NOT_FOUND'],
    run: call =>
      withLink(
        call as Call,
        listContactTickets(call.db, call.project.id, call.params.contact_id!, call.query as TicketQuery),
      ),
  }),
]
