import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { showFirstSteps } from './first-steps.ts'
import { firstStepList } from './schema.ts'

export const firstStepDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/first-steps',
    tag: 'Project',
    summary: 'List the steps of setting up the project',
    description:
      'A step is done if the data of the project shows it, and then stays done. When all are done, `has_first_steps` of the settings becomes false. `PATCH /settings` hides the list, or shows it again.',
    responses: { 200: firstStepList },
    errors: [],
    run: ({ db, project }) => showFirstSteps(db, project.id),
  }),
]
