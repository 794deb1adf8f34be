import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { pageFields } from './fields.ts'
import { fieldList, fieldQuery } from './schema.ts'

export const customFieldEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/custom-fields',
    tag: 'Custom fields',
    summary: 'List the custom fields of tickets and contacts',
    description:
      'The fields that the project has defined for `custom_fields`. Their values are validated; other keys accept any value.',
    query: fieldQuery,
    responses: { 200: fieldList },
    errors: [],
    run: ({ db, project, query }) => pageFields(db, project.id, query),
  }),
]
