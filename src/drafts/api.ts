import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { deleteReplyDraft, prepareReply, readReplyDrafts } from './prepared.ts'
import { preparedDraftInput, replyDraft, replyDraftList } from './schema.ts'

const tag = 'Drafts'
const path = '/tickets/{ticket_id}/drafts/{operator_id}'

export const draftEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/drafts',
    tag,
    summary: "List a ticket's reply drafts",
    description:
      'Replies that operators have not sent yet, newest first. Each operator has at most one reply draft for each ticket.',
    responses: { 200: replyDraftList },
    errors: ['TICKET_NOT_FOUND'],
    run: ({ db, project, params }) => readReplyDrafts(db, project.id, params.ticket_id!),
  }),
  endpoint({
    method: 'PUT',
    path,
    tag,
    summary: "Write an operator's draft",
    description:
      "Prepares a reply that appears in the operator's editor immediately. The operator reviews and sends it, so the customer sees it as the " +
      "operator's own. Sending deletes the draft. If `version` does not match the current draft, the call is refused, so nothing that the " +
      'operator has typed is lost. With `force`, the call overwrites the draft anyway.',
    body: preparedDraftInput,
    responses: { 200: replyDraft },
    errors: ['TICKET_NOT_FOUND', 'operator_not_found', 'VALIDATION_ERROR', 'stale'],
    run: ({ db, project, params, body }) =>
      prepareReply(db, project.id, params.ticket_id!, params.operator_id!, body),
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: "Delete an operator's draft",
    description: 'Also succeeds if there is no draft.',
    responses: { 204: null },
    errors: ['TICKET_NOT_FOUND', 'operator_not_found'],
    run: ({ db, project, params }) =>
      deleteReplyDraft(db, project.id, params.ticket_id!, params.operator_id!),
  }),
]
