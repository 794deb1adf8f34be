import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { changedBy } from '../events/ticket-history.ts'
import { mergeContacts } from './merge.ts'
import { listUndoableMerges, previewMerge } from './merge-preview.ts'
import { contactMerge, mergePreview, undoableMerges, undoneMerge } from './merge-schema.ts'
import { contact } from './schema.ts'
import { undoContactMerge } from './undo-merge.ts'

const tag = 'Contacts'

export const mergeEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/merge/{into_contact_id}',
    tag,
    summary: 'Preview a merge of contacts',
    description:
      'Shows what merging the contact into another one would move, which fields differ, and whose value wins unless `winners` says otherwise. Nothing is changed.',
    responses: { 200: mergePreview },
    errors: ['CONTACT_NOT_FOUND', 'VALIDATION_ERROR'],
    run: ({ db, project, params }) =>
      previewMerge(db, project.id, params.contact_id!, params.into_contact_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/contacts/{contact_id}/merge',
    tag,
    summary: 'Merge a contact into another',
    description:
      'Tickets and identities move to the other contact, and fields that it lacks are copied to it; `winners` chooses otherwise for single fields. If there are more than 500 tickets, the rest move ' +
      'within a minute. `ticket.updated` is emitted for each ticket, with `cause: contact_merged`. Messages keep their `sender_id`; reading it as a contact returns the other contact. ' +
      'The merge can be undone for 7 days.',
    body: contactMerge,
    responses: { 200: contact },
    errors: ['CONTACT_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call =>
      mergeContacts(
        call.db,
        call.project.id,
        call.params.contact_id!,
        call.body.into_contact_id,
        changedBy(call),
        { winners: call.body.winners, caller: call },
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/merges',
    tag,
    summary: 'List the merges that can be undone',
    description: 'The contacts that were merged into this one in the last 7 days, newest first.',
    responses: { 200: undoableMerges },
    errors: ['CONTACT_NOT_FOUND'],
    run: ({ db, project, params }) => listUndoableMerges(db, project.id, params.contact_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/contacts/{contact_id}/unmerge',
    tag,
    summary: 'Undo a merge of contacts',
    description:
      'Separates a merged contact, identified by its `id`. Its tickets, identities and the fields of the other contact go back, except what others have changed ' +
      'since: `kept` lists it. If there are more than 500 tickets, the rest move within a minute. `ticket.updated` is emitted for each, with `cause: contact_unmerged`.',
    responses: { 200: undoneMerge },
    errors: ['CONTACT_NOT_FOUND', 'CONTACT_MERGE_FINAL'],
    run: call => undoContactMerge(call.db, call, call.params.contact_id!),
  }),
]
