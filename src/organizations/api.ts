import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { getOrganization, searchOrganizations } from './find.ts'
import { changeOrganization, createOrganization, deleteOrganization } from './manage.ts'
import {
  newOrganization,
  organization,
  organizationChange,
  organizationList,
  organizationQuery,
} from './schema.ts'

const tag = 'Organizations'
const joining =
  'Existing contacts with an email address in a new domain join, unless they already have an organization or someone has chosen that they have none; ' +
  'if there are more than 500, the rest join within a minute.'

export const organizationEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/organizations',
    tag,
    summary: 'Create an organization',
    description: `The name, the external id and each domain belong to only one organization of the project. ${joining}`,
    body: newOrganization,
    responses: { 201: organization },
    errors: ['VALIDATION_ERROR'],
    isIdempotent: true,
    examples: { body: { name: 'Northwind Traders', domains: ['northwind.example'] } },
    run: call => createOrganization(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/organizations',
    tag,
    summary: 'List and search organizations',
    description: '`domain` and `external_id` must match exactly.',
    query: organizationQuery,
    responses: { 200: organizationList },
    errors: [],
    run: ({ db, project, query }) => searchOrganizations(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/organizations/{organization_id}',
    tag,
    summary: 'Read an organization',
    description:
      '`GET /contacts?organization_id=…` lists its members, `GET /tickets?organization_id=…` their tickets.',
    responses: { 200: organization },
    errors: ['ORGANIZATION_NOT_FOUND'],
    run: ({ db, project, params }) => getOrganization(db, project.id, params.organization_id!),
  }),
  endpoint({
    method: 'PATCH',
    path: '/organizations/{organization_id}',
    tag,
    summary: 'Change an organization',
    description: `Only the sent fields change; \`custom_fields\` are merged (null deletes a key), and \`domains\` is the whole list. ${joining} Members of a removed domain stay.`,
    body: organizationChange,
    responses: { 200: organization },
    errors: ['ORGANIZATION_NOT_FOUND', 'VALIDATION_ERROR', 'stale'],
    isConditional: true,
    examples: { body: { domains: ['northwind.example', 'northwind.test'] } },
    run: call => changeOrganization(call.db, call, call.params.organization_id!, call.body, call.version),
  }),
  endpoint({
    method: 'DELETE',
    path: '/organizations/{organization_id}',
    tag,
    summary: 'Delete an organization',
    description:
      'Its members and their tickets stay. If it has more than 500 members, the rest leave it within a minute.',
    minRole: 'admin',
    responses: { 204: null },
    errors: ['ORGANIZATION_NOT_FOUND'],
    run: call => deleteOrganization(call.db, call, call.params.organization_id!),
  }),
]
