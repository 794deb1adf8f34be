import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { newReply, postedReply } from '../messages/schema.ts'
import { inboxSettings, inboxSettingsChange, ticket, transfer } from './schema.ts'
import {
  changeInboxSettings,
  findInboxSettings,
  forceTakeTicket,
  replyToTicket,
  takeTicket,
  transferTicket,
} from './tickets.ts'

const tag = 'Tickets'

export const ticketDashboard: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/messages',
    tag: 'Messages',
    summary: 'Reply, or leave a note',
    description:
      'A reply moves the ticket as the project has chosen, and assigns it to the writer when nobody has it. With ' +
      '`undo_seconds` or `send_at` it waits, and can be taken back until then.',
    body: newReply,
    answers: { 201: postedReply, 200: postedReply },
    errors: ['TICKET_NOT_FOUND', 'MESSAGE_EMPTY', 'VALIDATION_ERROR', 'NEWER_MESSAGES'],
    async run(call) {
      const { message, newer, isNew } = await replyToTicket(call.db, call, call.params.ticket_id!, call.body)
      call.reply.code(isNew ? 201 : 200)
      return { ...message, newer_messages: newer }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/take',
    tag,
    summary: 'Take a ticket that nobody has',
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'TICKET_TAKEN'],
    run: call => takeTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/force-take',
    tag,
    summary: 'Take a ticket from whoever has it',
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND'],
    run: call => forceTakeTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/transfer',
    tag,
    summary: 'Move a ticket to a department',
    body: transfer,
    answers: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => transferTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/inbox-settings',
    tag,
    summary: 'Read what the project has chosen for its inbox',
    answers: { 200: inboxSettings },
    errors: [],
    run: ({ db, project }) => findInboxSettings(db, project.id),
  }),
  endpoint({
    method: 'PATCH',
    path: '/inbox-settings',
    tag,
    summary: 'Change what the project has chosen for its inbox',
    may: 'admin',
    body: inboxSettingsChange,
    answers: { 200: inboxSettings },
    errors: [],
    run: call => changeInboxSettings(call.db, call, call.body),
  }),
]
