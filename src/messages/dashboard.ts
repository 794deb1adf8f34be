import { type Endpoint, endpoint } from '../core/endpoint.ts'
import {
  addReaction,
  cancelScheduled,
  readTicket,
  removeReaction,
  rescheduleMessage,
  unreadTicket,
} from './messages.ts'
import { message, readMark, rescheduling, takenBack } from './schema.ts'

const tag = 'Messages'

export const messageDashboard: Endpoint[] = [
  endpoint({
    method: 'DELETE',
    path: '/messages/{message_id}',
    tag,
    summary: 'Withdraw a message that has not been sent yet',
    description: 'The response contains what was written, so that you can continue writing it.',
    responses: { 200: takenBack },
    errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_SENT', 'ROLE_REQUIRED'],
    run: call => cancelScheduled(call.db, call, call.params.message_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/messages/{message_id}/reschedule',
    tag,
    summary: 'Send a waiting message at another time, or immediately',
    body: rescheduling,
    responses: { 200: message },
    errors: ['MESSAGE_NOT_FOUND', 'MESSAGE_SENT', 'ROLE_REQUIRED', 'VALIDATION_ERROR'],
    run: call => rescheduleMessage(call.db, call, call.params.message_id!, call.body.send_at),
  }),
  endpoint({
    method: 'PUT',
    path: '/messages/{message_id}/reactions/{emoji}',
    tag,
    summary: 'React to a message',
    responses: { 200: message },
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => addReaction(call.db, call, call.params.message_id!, call.params.emoji!),
  }),
  endpoint({
    method: 'DELETE',
    path: '/messages/{message_id}/reactions/{emoji}',
    tag,
    summary: 'Remove a reaction',
    responses: { 200: message },
    errors: ['MESSAGE_NOT_FOUND'],
    run: call => removeReaction(call.db, call, call.params.message_id!, call.params.emoji!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/read',
    tag,
    summary: 'Mark a ticket as read',
    responses: { 200: readMark },
    errors: ['TICKET_NOT_FOUND'],
    run: call => readTicket(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/unread',
    tag,
    summary: 'Mark the last message of a ticket as unread',
    responses: { 200: readMark },
    errors: ['TICKET_NOT_FOUND'],
    run: call => unreadTicket(call.db, call, call.params.ticket_id!),
  }),
]
