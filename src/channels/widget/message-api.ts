import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { requestingVisitor } from './gate.ts'
import { listVisitorMessages, react, replyAsVisitor, unreact } from './messages.ts'
import { messagesQuery, newVisitorMessage } from './request-schema.ts'
import { visitorMessage, visitorMessages } from './schema.ts'

const tag = 'Messages'

const writing: Endpoint = endpoint({
  method: 'POST',
  path: '/tickets/{ticket_id}/messages',
  tag,
  summary: 'Write a message',
  description:
    'A recently closed ticket is reopened. Otherwise the message starts a new ticket, whose id is in the response.',
  body: newVisitorMessage,
  responses: { 201: visitorMessage, 200: visitorMessage },
  errors: [
    'TICKET_NOT_FOUND',
    'MESSAGE_EMPTY',
    'VALIDATION_ERROR',
    'TICKET_LIMIT_REACHED',
    'VISITOR_BLOCKED',
    'NOT_POSSIBLE',
  ],
  isIdempotent: true,
  async run(call) {
    const { message, isNew } = await replyAsVisitor(
      call,
      requestingVisitor(call),
      call.params.ticket_id!,
      call.body,
    )
    call.reply.code(isNew ? 201 : 200)
    return message
  },
})

const others: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/messages',
    tag,
    summary: 'List messages of a ticket',
    description: 'The newest messages, or the newest before a given one. The response has the oldest first.',
    query: messagesQuery,
    responses: { 200: visitorMessages },
    errors: ['TICKET_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
    run: call =>
      listVisitorMessages(
        call.db,
        call.project.id,
        requestingVisitor(call),
        call.params.ticket_id!,
        call.query,
      ),
  }),
  ...(
    [
      ['PUT', 'React to a message', react],
      ['DELETE', 'Remove a reaction', unreact],
    ] as const
  ).map(([method, summary, act]) =>
    endpoint({
      method,
      path: '/tickets/{ticket_id}/messages/{message_id}/reactions/{emoji}',
      tag,
      summary,
      responses: { 200: visitorMessage },
      errors: ['TICKET_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR', 'VISITOR_BLOCKED'],
      run: call => act(call.db, call, requestingVisitor(call), call.params),
    }),
  ),
]

export const visitorMessageEndpoints: Endpoint[] = [writing, ...others]
