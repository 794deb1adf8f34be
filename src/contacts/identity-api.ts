import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { getContact } from './find.ts'
import { addIdentity, changeIdentity, removeIdentity } from './identity-change.ts'
import { confirmCode, type IdentityDeps, sendCode } from './identity-codes.ts'
import { moveIdentity, previewMove } from './identity-move.ts'
import { listIdentities } from './identity-queries.ts'
import {
  codeInput,
  identityChange,
  identityMove,
  knownIdentities,
  knownIdentity,
  movePreview,
  newIdentity,
  sentCode,
} from './identity-schema.ts'
import { listVisitors } from './identity-targets.ts'
import { contact } from './schema.ts'

const tag = 'Contacts'
const path = '/contacts/{contact_id}/identities'
const one = `${path}/{identity}`

const reading: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'List the identities of a contact',
    description:
      'The addresses, accounts and ids by which the contact is recognized, and how each was verified. `visitors` are browsers with the website chat.',
    responses: { 200: knownIdentities },
    errors: ['CONTACT_NOT_FOUND'],
    async run({ db, project, params }) {
      const { id } = await getContact(db, project.id, params.contact_id!)
      return {
        items: await listIdentities(db, project.id, id),
        visitors: await listVisitors(db, project.id, id),
      }
    },
  }),
  endpoint({
    method: 'GET',
    path: `${one}/move/{into_contact_id}`,
    tag,
    summary: 'Preview moving an identity',
    description: 'Shows what would move to the other contact together with the identity. Nothing is changed.',
    responses: { 200: movePreview },
    errors: ['CONTACT_NOT_FOUND', 'IDENTITY_NOT_FOUND', 'VALIDATION_ERROR'],
    run: ({ db, project, params }) =>
      previewMove(db, project.id, [params.contact_id!, params.identity!], params.into_contact_id!),
  }),
]

const writing: Endpoint[] = [
  endpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Add an identity to a contact',
    description:
      'An identity belongs to only one contact. If another contact has it, the error names that contact. The first identity of its type becomes primary. ' +
      'With `is_verified`, a `reason` is required.',
    body: newIdentity,
    responses: { 201: knownIdentity },
    errors: ['CONTACT_NOT_FOUND', 'VALIDATION_ERROR'],
    examples: { body: { type: 'email', value: 'ann@example.com' } },
    run: call => addIdentity(call.db, call, call.params.contact_id!, call.body),
  }),
  endpoint({
    method: 'PATCH',
    path: one,
    tag,
    summary: 'Correct or verify an identity, or make it primary',
    description:
      'A new `value` is not verified. `is_primary` chooses the identity that is shown on the contact and receives emails. ' +
      '`is_verified` without proof requires a `reason`, which is stored.',
    body: identityChange,
    responses: { 200: knownIdentity },
    errors: ['CONTACT_NOT_FOUND', 'IDENTITY_NOT_FOUND', 'VALIDATION_ERROR'],
    examples: { body: { is_verified: true, reason: 'Called back' } },
    run: call => changeIdentity(call.db, call, call.params.contact_id!, call.params.identity!, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: one,
    tag,
    summary: 'Remove an identity',
    description:
      'The tickets stay with the contact. If the identity was primary, another identity of its type becomes primary. `visitor:<id>` signs a browser out of the website chat.',
    responses: { 204: null },
    errors: ['CONTACT_NOT_FOUND', 'IDENTITY_NOT_FOUND'],
    run: call => removeIdentity(call.db, call, call.params.contact_id!, call.params.identity!),
  }),
  endpoint({
    method: 'POST',
    path: `${one}/move`,
    tag,
    summary: 'Move an identity to another contact',
    description:
      'The tickets in which the contact used only this identity move with it, unless `move_tickets` is false. If there are more than 500, the rest ' +
      'move within a minute. `ticket.updated` is emitted for each, with `cause: identity_moved`. The response is the contact that has the identity now.',
    body: identityMove,
    responses: { 200: contact },
    errors: ['CONTACT_NOT_FOUND', 'IDENTITY_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => moveIdentity(call.db, call, [call.params.contact_id!, call.params.identity!], call.body),
  }),
]

const verifying = (deps: IdentityDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: `${one}/code`,
    tag,
    summary: 'Send a code to an address',
    description:
      'The email contains a code of six digits that is valid for an hour. At most one code a minute and five in 24 hours are sent to an address.',
    responses: { 202: sentCode },
    errors: ['CONTACT_NOT_FOUND', 'IDENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'MAIL_NOT_SENT'],
    run: call => sendCode(deps, call.db, call, call.params.contact_id!, call.params.identity!),
  }),
  endpoint({
    method: 'POST',
    path: `${one}/verify`,
    tag,
    summary: 'Verify an address with a code',
    description: '`code` is the code that the contact received. After five wrong codes, send a new one.',
    body: codeInput,
    responses: { 200: knownIdentity },
    errors: ['CONTACT_NOT_FOUND', 'IDENTITY_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call =>
      confirmCode(deps, call.db, call, [call.params.contact_id!, call.params.identity!], call.body.code),
  }),
]

/** `identity` in a path is its type and value, such as `email:ann@example.com`. */
export const identityEndpoints = (deps: IdentityDeps): Endpoint[] => [
  ...reading,
  ...writing,
  ...verifying(deps),
]
