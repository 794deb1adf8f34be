import { type Endpoint, endpoint } from '../core/endpoint.ts'
import {
  cancelScheduled,
  editMessage,
  getMessage,
  listTicketMessages,
  postMessage,
  rescheduleMessage,
  retryMessage,
  searchMessages,
} from './messages.ts'
import {
  anyMessageQuery,
  message,
  messageChange,
  messageList,
  messageQuery,
  newMessage,
  rescheduling,
  takenBack,
} from './schema.ts'

const tag = 'Messages'

const edited =
  'Replaces the content and emits `message.edited`. System messages cannot be edited. If the email of the message is still `pending`, it is ' +
  'sent with the new content. If the old content may already have been sent, `delivery.error` becomes `edit_not_propagated`.'

const editErrors: Endpoint['errors'] = ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR', 'MESSAGE_EMPTY', 'stale']

const editing = {
  method: 'PATCH' as const,
  tag,
  body: messageChange,
  responses: { 200: message },
  errors: editErrors,
  isConditional: true,
}

export const messageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/messages',
    tag,
    summary: "List a ticket's messages",
    description: 'Oldest first unless `order=desc`. Internal notes and system messages are included.',
    query: messageQuery,
    responses: { 200: messageList },
    errors: ['TICKET_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
    run: ({ db, project, params, query }) => listTicketMessages(db, project.id, params.ticket_id!, query),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/messages',
    tag,
    summary: 'Post a message',
    description:
      'The sender is the project (`sender_type: bot`). 201 when the message is new, 200 with the earlier message when ' +
      'its `external_id` was used before. A message to a closed ticket is stored and does not reopen it. With `send_at` ' +
      'in the future, the message waits, and `message.created` is emitted when it is sent. With `unless_newer`, it is refused ' +
      'if others have written since `last_seen_message_id`, so two programs never answer the same question.',
    body: newMessage,
    responses: { 201: message, 200: message },
    errors: ['TICKET_NOT_FOUND', 'MESSAGE_EMPTY', 'VALIDATION_ERROR'],
    isIdempotent: true,
    async run(call) {
      const { message, isNew } = await postMessage(call.db, call, call.params.ticket_id!, call.body)
      call.reply.code(isNew ? 201 : 200)
      return message
    },
  }),
  endpoint({
    method: 'GET',
    path: '/messages',
    tag,
    summary: 'List the messages of all tickets',
    description:
      'In the order of their last change, so that a program can keep a copy: set `updated_after` to the newest ' +
      '`updated_at` that you have, and follow `next_cursor`. Edits, reactions and moves to another ticket update `updated_at`. ' +
      'Scheduled messages can still be withdrawn, so they are listed only after they are sent, or if `delivery_status` asks for them.',
    query: anyMessageQuery,
    responses: { 200: messageList },
    errors: [],
    run: ({ db, project, query }) => searchMessages(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/messages/{message_id}',
    tag,
    summary: 'Read a message',
    description: 'Useful for events that contain only a `message_id`, such as reactions.',
    responses: { 200: message },
    errors: ['MESSAGE_NOT_FOUND'],
    run: ({ db, project, params }) => getMessage(db, project.id, params.message_id!),
  }),
  endpoint({
    ...editing,
    path: '/messages/{message_id}',
    summary: 'Edit a message',
    description: edited,
    run: call => editMessage(call.db, call, call.params.message_id!, call.body, call.version),
  }),
  endpoint({
    ...editing,
    path: '/tickets/{ticket_id}/messages/{message_id}',
    summary: 'Edit a message of a ticket',
    description: edited,
    errors: ['TICKET_NOT_FOUND', ...editing.errors],
    run: ({ params, ...call }) =>
      editMessage(call.db, call, params.message_id!, call.body, call.version, params.ticket_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/messages/{message_id}/reschedule',
    tag,
    summary: 'Reschedule a message, or send it now',
    description:
      'For a message whose `delivery.status` is `scheduled`. If `send_at` is `null`, it is sent immediately.',
    body: rescheduling,
    responses: { 200: message },
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    examples: { body: { send_at: '2026-01-16T08:00:00Z' } },
    run: call => rescheduleMessage(call.db, call, call.params.message_id!, call.body.send_at),
  }),
  endpoint({
    method: 'DELETE',
    path: '/messages/{message_id}',
    tag,
    summary: 'Withdraw a scheduled message',
    description:
      'Deletes a message that has not been sent yet. The response contains what was written, and its files can be attached again.',
    responses: { 200: takenBack },
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => cancelScheduled(call.db, call, call.params.message_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/messages/{message_id}/retry',
    tag,
    summary: 'Send a failed message again',
    description:
      'For a message whose `delivery.status` is `failed`, or whose email failed for some recipients. It becomes `pending` and is ' +
      'sent to the recipients who do not have it. If none of them has it, the email is rebuilt from the current text and the current settings of its mailbox.',
    responses: { 200: message },
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR'],
    run: ({ db, project, params }) => retryMessage(db, project.id, params.message_id!),
  }),
]
