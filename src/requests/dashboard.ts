import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { listRequests } from './requests.ts'
import { requestList, requestQuery } from './schema.ts'

export const requestDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/requests',
    tag: 'Requests',
    summary: 'List calls of the API, newest first',
    description:
      'A page looks at 20,000 calls at most: with a filter that few of them fit it may be short or empty, and `next_cursor` goes on.',
    may: 'admin',
    query: requestQuery,
    answers: { 200: requestList },
    errors: [],
    run: ({ db, project, query }) => listRequests(db, project.id, query),
  }),
]
