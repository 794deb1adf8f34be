import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { changeContact, getContact, putContact, searchContacts } from './contacts.ts'
import { mergeEndpoints } from './merge-api.ts'
import {
  contact,
  contactChange,
  contactList,
  contactQuery,
  createdContact,
  newContact,
  oneContactQuery,
} from './schema.ts'

export { identityEndpoints } from './identity-api.ts'

const tag = 'Contacts'
const reference =
  'The contact is identified by its `id`, or by `email:ann@example.com`, `telegram:12345678`, `external:user-42`.'

export const contactEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/contacts',
    tag,
    summary: 'Create or update a contact',
    description:
      'Looks up the contact by `external_id`, then `telegram_id`, then `email`, and updates the first match or creates a contact. ' +
      'The status is always 201; `created` says whether the contact is new. Identifiers that belong to another contact stay there and are listed in `conflicts`.',
    body: newContact,
    responses: { 201: createdContact },
    errors: ['contact_unidentified', 'VALIDATION_ERROR'],
    isIdempotent: true,
    examples: { body: { email: 'ann@example.com', full_name: 'Ann Lee' } },
    run: call => putContact(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/contacts',
    tag,
    summary: 'List and search contacts',
    description:
      '`email`, `telegram_id`, `phone` and `external_id` must match exactly; `q` searches for words.',
    query: contactQuery,
    responses: { 200: contactList },
    errors: [],
    run: ({ db, project, query }) => searchContacts(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}',
    tag,
    summary: 'Read a contact',
    description:
      `${reference} For a merged contact, the response is the contact it was merged into; with \`include_merged\`, ` +
      'it is what remains of the merged contact, with `merged_into_id`.',
    query: oneContactQuery,
    responses: { 200: contact },
    errors: ['CONTACT_NOT_FOUND'],
    run: ({ db, project, params, query }) =>
      getContact(db, project.id, params.contact_id!, query.include_merged),
  }),
  endpoint({
    method: 'PATCH',
    path: '/contacts/{contact_id}',
    tag,
    summary: 'Change a contact',
    description: `${reference} Only the sent fields change; \`custom_fields\` are merged (null deletes a key).`,
    body: contactChange,
    responses: { 200: contact },
    errors: ['CONTACT_NOT_FOUND', 'VALIDATION_ERROR', 'stale'],
    isConditional: true,
    examples: { body: { is_blocked: true } },
    run: call => changeContact(call.db, call, call.params.contact_id!, call.body, call.version),
  }),
  ...mergeEndpoints,
]
