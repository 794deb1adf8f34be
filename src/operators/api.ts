import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { pageDepartments, pageOperators } from './operator-rows.ts'
import { departmentList, operatorList, peopleQuery } from './schema.ts'

const tag = 'Operators and departments'

export const operatorEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/operators',
    tag,
    summary: 'List the operators',
    description: 'Use an `id` as the `operator_id` of a ticket.',
    query: peopleQuery,
    responses: { 200: operatorList },
    errors: [],
    run: ({ db, project, query }) => pageOperators(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/departments',
    tag,
    summary: 'List the departments',
    description: 'Use an `id` as the `department_id` of a ticket.',
    query: peopleQuery,
    responses: { 200: departmentList },
    errors: [],
    run: ({ db, project, query }) => pageDepartments(db, project.id, query),
  }),
]
