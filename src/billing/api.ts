import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { reportProject } from './report.ts'
import { project } from './schema.ts'

export const projectEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/project',
    tag: 'Project',
    summary: 'Read the project that the key belongs to',
    description:
      "The quickest way to check that a key works. `tickets` shows how much of the plan's monthly limit is used.",
    responses: { 200: project },
    errors: [],
    run: ({ db, project: { id } }) => reportProject(db, id),
  }),
]
