import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { contactEndpoints } from './api.ts'
import { createContactOfPerson } from './contacts.ts'
import { contact, newContactOfPerson } from './schema.ts'

/** The operations of the public API, of which some are replaced for people. */
export const contactDashboard: Endpoint[] = [
  ...contactEndpoints,
  endpoint({
    method: 'POST',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'Create a contact',
    description:
      'A name or a phone number is enough. If an identifier belongs to another contact, the request is refused with the id of that contact.',
    body: newContactOfPerson,
    responses: { 201: contact },
    errors: ['VALIDATION_ERROR'],
    isIdempotent: true,
    examples: { body: { full_name: 'Ann Lee', phone: '+49 30 1234' } },
    run: call => createContactOfPerson(call.db, call, call.body),
  }),
]
