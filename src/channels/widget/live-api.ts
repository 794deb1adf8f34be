import { bytes, type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { ChatDeps } from './deps.ts'
import { requestingVisitor } from './gate.ts'
import { showTabState, showTyping } from './presence.ts'
import { streamQuery, typingSignal, visitorTabState } from './request-schema.ts'
import { openStream } from './stream.ts'

const tag = 'Live'

const listening = (deps: ChatDeps): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/stream',
    tag,
    summary: 'Follow the tickets of the visitor (server-sent events)',
    description: `\`message\` and \`ticket\`: the current record; the id is the number from which to continue. \`ready\`: all missed events have been
sent. \`gap\`: some events were skipped; read the lists again. \`typing\`: {ticket_id, name, is_typing}. \`beat\`: every 20 seconds; answer with
\`POST /presence\`. \`end\`: open the stream again; if that is refused, create a new visitor.`,
    query: streamQuery,
    isWaiting: true,
    responses: { 200: bytes },
    errors: ['RATE_LIMIT_EXCEEDED', 'VALIDATION_ERROR'],
    run: call => openStream(deps, call, requestingVisitor(call), call.query),
  })

const others: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/presence',
    tag,
    summary: 'Report what a tab shows, at each change and at each beat',
    description: 'A tab that reports nothing for 45 seconds counts as closed.',
    body: visitorTabState,
    responses: { 204: null },
    errors: ['TAB_NOT_OPEN', 'TICKET_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => showTabState(call.db, call.project.id, requestingVisitor(call), call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/typing',
    tag,
    summary: 'Report that the visitor is typing, or has stopped',
    description: 'Typing ends automatically after 6 seconds.',
    body: typingSignal,
    responses: { 204: null },
    errors: ['TAB_NOT_OPEN', 'TICKET_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call =>
      showTyping(call.db, call.project.id, requestingVisitor(call), call.params.ticket_id!, call.body),
  }),
]

export const visitorLiveEndpoints = (deps: ChatDeps): Endpoint[] => [listening(deps), ...others]
