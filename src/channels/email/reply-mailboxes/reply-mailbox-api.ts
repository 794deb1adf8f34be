import { type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { findReplyMailboxes } from './reply-mailbox-queries.ts'
import { replyMailboxes, replyMailboxesChange } from './reply-mailbox-schema.ts'
import { changeReplyMailboxes } from './reply-mailboxes.ts'

const tag = 'E-mail'
const minRole = 'admin'

export const replyMailboxEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/reply-mailboxes',
    tag,
    summary: 'Read which mailboxes send replies in tickets of other channels',
    minRole,
    responses: { 200: replyMailboxes },
    errors: [],
    run: ({ db, project }) => findReplyMailboxes(db, project.id),
  }),
  endpoint({
    method: 'PATCH',
    path: '/reply-mailboxes',
    tag,
    summary: 'Change which mailboxes send replies in tickets of other channels',
    description:
      'Only the fields in the request change. If a mailbox is deleted, its field becomes null. `visitor.reply_waiting` is not emitted for visitors who get unread replies by email.',
    minRole,
    body: replyMailboxesChange,
    responses: { 200: replyMailboxes },
    errors: ['VALIDATION_ERROR'],
    run: call => changeReplyMailboxes(call.db, call, call.body),
  }),
]
