import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { readHistory } from './history.ts'
import { historyQuery, ticketHistory, undoInput, undoResult } from './schema.ts'
import { undoChange } from './undo-change.ts'

const tag = 'Tickets'

export const ticketHistoryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/history',
    tag,
    summary: 'List the changes to a ticket',
    description: `The ticket is identified by its \`id\` or \`short_id\`. Newest first: who changed which fields, from which value to which. Messages are not included.`,
    query: historyQuery,
    responses: { 200: ticketHistory },
    errors: ['TICKET_NOT_FOUND'],
    run: ({ db, project, params, query }) => readHistory(db, project.id, params.ticket_id!, query),
  }),
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/undo',
    tag,
    summary: 'Undo a change to a ticket',
    description: `The ticket is identified by its \`id\` or \`short_id\`. Fields that were changed again later keep their values, and \`kept\` names them. Undoing is a change too, so it can be undone.`,
    body: undoInput,
    responses: { 200: undoResult },
    errors: ['TICKET_NOT_FOUND', 'CHANGE_NOT_UNDOABLE', 'VALIDATION_ERROR', 'stale'],
    isIdempotent: true,
    isConditional: true,
    examples: { body: { id: '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11' } },
    run: call => undoChange(call.db, call, call.params.ticket_id!, call.body, call.version),
  }),
]
