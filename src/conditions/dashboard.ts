import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listConditionFields } from './conditions.ts'
import { conditionFields } from './schema.ts'

export const conditionDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/conditions/fields',
    tag: 'Views',
    summary: 'List the fields that conditions can name, with their operators',
    responses: { 200: conditionFields },
    errors: [],
    run: async ({ db, project }) => ({ items: await listConditionFields(db, project.id) }),
  }),
]
