import { bytes, type Endpoint, endpoint } from '../core/endpoint.ts'
import type { Storages } from '../media/media.ts'
import {
  exportContact,
  getDataDeletion,
  pageDataDeletions,
  previewDeletion,
  requestDeletion,
} from './personal-data.ts'
import { dataDeletion, dataDeletionList, dataDeletionQuery, deletionPreview } from './schema.ts'

const tag = 'Personal data'

const afterwards =
  'The response comes immediately, and the data is deleted in the background: `GET /deletions/{deletion_id}` shows the progress. ' +
  'There is no event, and reading a deleted record returns 404. This cannot be undone.'

const ofTickets: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tickets/{ticket_id}/deletion-preview',
    tag,
    summary: 'Count what would be deleted with a ticket',
    description: 'Includes tickets that were merged into it, and finished exports of the whole project.',
    responses: { 200: deletionPreview },
    errors: ['TICKET_NOT_FOUND'],
    run: call => previewDeletion(call.db, call, 'ticket', call.params.ticket_id!),
  }),
  endpoint({
    method: 'DELETE',
    path: '/tickets/{ticket_id}',
    tag,
    summary: 'Delete a ticket with all its data',
    description: `Deletes its messages, files and emails, and what was copied from them to exports, logs and the search index. The contact stays. ${afterwards}`,
    responses: { 202: dataDeletion },
    errors: ['TICKET_NOT_FOUND'],
    run: call => requestDeletion(call.db, call, 'ticket', call.params.ticket_id!),
  }),
]

const ofContacts: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/deletion-preview',
    tag,
    summary: 'Count what would be deleted with a contact',
    description: 'Includes contacts that were merged into it, and finished exports of the whole project.',
    responses: { 200: deletionPreview },
    errors: ['CONTACT_NOT_FOUND'],
    run: call => previewDeletion(call.db, call, 'contact', call.params.contact_id!),
  }),
  endpoint({
    method: 'DELETE',
    path: '/contacts/{contact_id}',
    tag,
    summary: 'Delete a contact with all their data',
    description: `Deletes their tickets as \`DELETE /tickets/{ticket_id}\` does, their identities and sessions, the contacts that were merged into this one, and what they wrote in other contacts' tickets. ${afterwards}`,
    responses: { 202: dataDeletion },
    errors: ['CONTACT_NOT_FOUND'],
    run: call => requestDeletion(call.db, call, 'contact', call.params.contact_id!),
  }),
]

const exporting = (storages: Storages): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/export',
    tag,
    summary: "Download a contact's data",
    description:
      'A zip file with everything that is stored about the contact: JSON lines, pages to read, files and original emails. It contains internal notes in their tickets, which are personal data too.',
    responses: { 200: bytes },
    errors: ['CONTACT_NOT_FOUND'],
    async run(call) {
      const content = await exportContact({ db: call.db, storages }, call, call.params.contact_id!)
      call.reply
        .header('content-type', 'application/zip')
        .header('content-disposition', 'attachment; filename="contact.zip"')
      return content
    },
  })

const listing: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/deletions',
    tag,
    summary: 'List deletions',
    description:
      'Deleted tickets and contacts, oldest first, by their ids. A program that mirrors the project reads the deletions after the last one that it knows, and deletes the same records. The tickets of a deleted contact are not listed.',
    query: dataDeletionQuery,
    responses: { 200: dataDeletionList },
    errors: [],
    run: ({ db, project, query }) => pageDataDeletions(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/deletions/{deletion_id}',
    tag,
    summary: 'Read a deletion',
    description: 'The counts grow until `state` is `done`. Then the files are gone too.',
    responses: { 200: dataDeletion },
    errors: ['DELETION_NOT_FOUND'],
    run: ({ db, project, params }) => getDataDeletion(db, project.id, params.deletion_id!),
  }),
]

export const personalDataEndpoints = ({ storages }: { storages: Storages }): Endpoint[] => [
  ...ofTickets,
  ...ofContacts,
  exporting(storages),
  ...listing,
]
