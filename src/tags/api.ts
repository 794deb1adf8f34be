import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { tagList, tagQuery } from './schema.ts'
import { pageTags } from './tags.ts'

export const tagEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tags',
    tag: 'Tags',
    summary: 'List the tags',
    description:
      'Every tag that a ticket or a contact of the project has had; a new one is made by using it.',
    query: tagQuery,
    answers: { 200: tagList },
    errors: [],
    run: ({ db, project, query }) => pageTags(db, project.id, query),
  }),
]
