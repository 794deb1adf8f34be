import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listRequests } from './list.ts'
import { requestList, requestQuery } from './schema.ts'

export const requestDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/requests',
    tag: 'Requests',
    summary: 'List API calls, newest first',
    description:
      'A page searches at most 20,000 calls. With a filter that matches few of them, a page may be short or empty; continue with `next_cursor`.',
    minRole: 'admin',
    query: requestQuery,
    responses: { 200: requestList },
    errors: [],
    run: ({ db, project, query }) => listRequests(db, project.id, query),
  }),
]
