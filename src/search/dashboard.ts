import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { found, searchQuery } from './schema.ts'
import { searchAll } from './search.ts'

export const searchDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/search',
    tag: 'Search',
    summary: 'Search tickets, contacts, organizations and articles at once',
    description: 'At most five of each.',
    query: searchQuery,
    responses: { 200: found },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, actor, query }) => searchAll(db, project.id, actor.id, query.q),
  }),
]
