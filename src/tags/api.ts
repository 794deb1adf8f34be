import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { pageTags } from './project-tags.ts'
import { tagList, tagQuery } from './schema.ts'

export const tagEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tags',
    tag: 'Tags',
    summary: 'List the tags',
    description: 'All tags that tickets and contacts of the project have had. Using a new tag creates it.',
    query: tagQuery,
    responses: { 200: tagList },
    errors: [],
    run: ({ db, project, query }) => pageTags(db, project.id, query),
  }),
]
