import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { discardDraft, readDrafts, saveDraft } from './drafts.ts'
import { draftInput, draftQuery, drafts, savedDraft } from './schema.ts'

const tag = 'Drafts'
const path = '/tickets/{ticket_id}/draft'

export const draftDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Read your drafts for a ticket',
    responses: { 200: drafts },
    errors: ['TICKET_NOT_FOUND'],
    run: call => readDrafts(call.db, call, call.params.ticket_id!),
  }),
  endpoint({
    method: 'PUT',
    path,
    tag,
    summary: 'Save a draft',
    description: 'Sending a reply or a note deletes its draft.',
    body: draftInput,
    responses: { 200: savedDraft },
    errors: ['TICKET_NOT_FOUND', 'VALIDATION_ERROR', 'stale'],
    run: call => saveDraft(call.db, call, call.params.ticket_id!, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete a draft',
    query: draftQuery,
    responses: { 204: null },
    errors: ['TICKET_NOT_FOUND'],
    run: call => discardDraft(call.db, call, call.params.ticket_id!, call.query.is_internal),
  }),
]
