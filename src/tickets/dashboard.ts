import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { newReply, postedReply } from '../messages/schema.ts'
import { runUndo, runUndoResult } from './history/schema.ts'
import {
  bulk,
  bulkResults,
  inboxSettings,
  inboxSettingsChange,
  splitting,
  ticketContext,
  transfer,
} from './inbox-schema.ts'
import { newTicketOfPerson, ticket } from './schema.ts'
import {
  actOnTickets,
  changeInboxSettings,
  createTicket,
  findInboxSettings,
  forceTakeTicket,
  readContext,
  replyToTicket,
  splitTicket,
  takeTicket,
  transferTicket,
  undoRun,
  unmergeTicket,
} from './tickets.ts'

const tag = 'Tickets'

export const ticketDashboard: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/tickets',
    tag,
    summary: 'Create a ticket',
    description:
      'The contact is chosen by `id`, created with `is_new`, or found by its identifiers. The first message is what the contact ' +
      'said, written down by you; with `is_internal`, it is your note; with `mailbox_id` or a channel in which you can write to the ' +
      'contact, it is your message and is sent.',
    body: newTicketOfPerson,
    responses: { 201: ticket },
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
        contact: { is_new: true, full_name: 'Ann Lee', phone: '+49 30 1234' },
        channel: 'phone',
        content: 'My card is refused.',
      },
    },
    run: call => createTicket(call.db, call, call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/messages',
    tag: 'Messages',
    summary: 'Post a reply or an internal note',
    description:
      'A reply changes the status of the ticket as set for the project, and assigns an unassigned ticket to the writer. With ' +
      '`can_undo`, `undo_seconds` or `send_at`, it waits and can be withdrawn until it is sent.',
    body: newReply,
    responses: { 201: postedReply, 200: postedReply },
    errors: ['TICKET_NOT_FOUND', 'MESSAGE_EMPTY', 'VALIDATION_ERROR', 'NEWER_MESSAGES'],
    isIdempotent: true,
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
    summary: 'Take an unassigned ticket',
    responses: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'TICKET_TAKEN'],
    run: call => takeTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/force-take',
    tag,
    summary: 'Take a ticket from its operator',
    responses: { 200: ticket },
    errors: ['TICKET_NOT_FOUND'],
    run: call => forceTakeTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/transfer',
    tag,
    summary: 'Move a ticket to a department',
    body: transfer,
    responses: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => transferTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/unmerge',
    tag,
    summary: 'Undo a merge',
    description: 'Possible for ten minutes, as long as nobody has written to the other ticket since.',
    responses: { 200: ticket },
    errors: ['TICKET_NOT_FOUND', 'MERGE_FINAL'],
    run: call => unmergeTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/split',
    tag,
    summary: 'Split messages into a new ticket',
    body: splitting,
    responses: { 201: ticket },
    errors: ['TICKET_NOT_FOUND', 'TICKET_LIMIT_REACHED', 'VALIDATION_ERROR'],
    run: call => splitTicket(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/context',
    tag,
    summary: 'Read the context of a ticket: its contact, their other tickets, custom fields',
    responses: { 200: ticketContext },
    errors: ['TICKET_NOT_FOUND'],
    run: ({ db, project, params }) => readContext(db, project.id, params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/bulk',
    tag,
    summary: 'Change many tickets at once',
    description:
      'Each ticket is changed separately. The response gives the reason for each ticket that could not be changed.',
    body: bulk,
    responses: { 200: bulkResults },
    errors: [],
    run: async call => ({ items: await actOnTickets(call.db, call, call.body) }),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/bulk/undo',
    tag,
    summary: 'Undo a bulk action',
    description:
      'Undoes up to 500 of its changes. Fields that were changed again later keep their values, and `kept` names them.',
    body: runUndo,
    responses: { 200: runUndoResult },
    errors: [],
    run: call => undoRun(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/inbox-settings',
    tag,
    summary: 'Read the settings of the inbox',
    responses: { 200: inboxSettings },
    errors: [],
    run: ({ db, project }) => findInboxSettings(db, project.id),
  }),
  endpoint({
    method: 'PATCH',
    path: '/inbox-settings',
    tag,
    summary: 'Change the settings of the inbox',
    minRole: 'admin',
    body: inboxSettingsChange,
    responses: { 200: inboxSettings },
    errors: [],
    run: call => changeInboxSettings(call.db, call, call.body),
  }),
]
