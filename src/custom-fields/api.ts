import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { pageFields } from './custom-fields.ts'
import { fieldList, fieldQuery } from './schema.ts'

export const customFieldEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/custom-fields',
    tag: 'Custom fields',
    summary: 'List the custom fields of tickets and contacts',
    description:
      'What the project has said about keys of `custom_fields`: their values are checked by it. Keys that are no field take what they are given.',
    query: fieldQuery,
    answers: { 200: fieldList },
    errors: [],
    run: ({ db, project, query }) => pageFields(db, project.id, query),
  }),
]
