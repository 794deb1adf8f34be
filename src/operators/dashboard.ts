import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { addDepartment, changeDepartment, deleteDepartment, departmentEnd, type Move } from './departments.ts'
import type { OperatorDeps } from './deps.ts'
import { sessionOf } from './gate.ts'
import { inviteAgain, invitePerson, makeResetLink } from './invite.ts'
import { changePerson, getPerson, type ReleaseTickets, removePerson } from './people.ts'
import { listPeople } from './people-queries.ts'
import {
  department,
  departmentChange,
  handedLink,
  invitation,
  newDepartment,
  newPerson,
  ownStatus,
  person,
  personChange,
  personList,
  statusChoice,
} from './schema.ts'
import { securityEndpoints } from './security.ts'
import { getSignature, updateSignature } from './signature.ts'
import { ownSignature } from './signature-schema.ts'
import { chooseStatus } from './status.ts'

/** What higher domains do when an operator or a department is removed. */
export interface OnRemoval {
  release: ReleaseTickets
  move: Move
}

const people = (deps: OperatorDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/operators',
    tag: 'People',
    summary: 'List the operators, by name',
    responses: { 200: personList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listPeople(db, project.id) }),
  }),
  endpoint({
    method: 'POST',
    path: '/operators',
    tag: 'People',
    summary: 'Invite an operator',
    minRole: 'admin',
    body: newPerson,
    responses: { 201: invitation },
    errors: ['OPERATOR_EXISTS', 'OPERATOR_LIMIT_REACHED', 'VALIDATION_ERROR'],
    run: call => invitePerson(deps, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/operators/{operator_id}',
    tag: 'People',
    summary: 'Read an operator',
    responses: { 200: person },
    errors: ['OPERATOR_NOT_FOUND'],
    run: ({ db, project, params }) => getPerson(db, project.id, params.operator_id!),
  }),
]

const changes = ({ release }: OnRemoval): Endpoint[] => [
  endpoint({
    method: 'PATCH',
    path: '/operators/{operator_id}',
    tag: 'People',
    summary: 'Change the name, role or departments of an operator',
    minRole: 'admin',
    body: personChange,
    responses: { 200: person },
    errors: ['OPERATOR_NOT_FOUND', 'LAST_OWNER', 'VALIDATION_ERROR'],
    run: call => changePerson(call.db, call, call.params.operator_id!, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/operators/{operator_id}',
    tag: 'People',
    summary: 'Remove an operator, or withdraw an invitation',
    minRole: 'admin',
    responses: { 204: null },
    errors: ['OPERATOR_NOT_FOUND', 'LAST_OWNER'],
    run: call => removePerson(call.db, call, call.params.operator_id!, release),
  }),
]

const links = (deps: OperatorDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/operators/{operator_id}/invitation',
    tag: 'People',
    summary: 'Invite an operator again, with a new link',
    minRole: 'admin',
    responses: { 201: invitation },
    errors: ['OPERATOR_NOT_FOUND', 'INVITATION_ACCEPTED'],
    run: call => inviteAgain(deps, call, call.params.operator_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/operators/{operator_id}/reset',
    tag: 'People',
    summary: 'Create a password reset link for an operator',
    minRole: 'admin',
    responses: { 201: handedLink },
    errors: ['OPERATOR_NOT_FOUND', 'INVITATION_PENDING', 'RESET_NOT_ALLOWED', 'PASSWORDS_OFF'],
    run: call => makeResetLink(deps, call, sessionOf(call.request).user.id, call.params.operator_id!),
  }),
]

const departments = ({ move }: OnRemoval): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/departments',
    tag: 'People',
    summary: 'Create a department; the first one is the default',
    minRole: 'admin',
    body: newDepartment,
    responses: { 201: department },
    errors: ['DEPARTMENT_EXISTS'],
    run: call => addDepartment(call.db, call, call.body.name),
  }),
  endpoint({
    method: 'PATCH',
    path: '/departments/{department_id}',
    tag: 'People',
    summary: 'Change the name or members of a department, or make it the default',
    minRole: 'admin',
    body: departmentChange,
    responses: { 200: department },
    errors: ['DEPARTMENT_NOT_FOUND', 'DEPARTMENT_EXISTS', 'VALIDATION_ERROR'],
    run: call => changeDepartment(call.db, call, call.params.department_id!, call.body),
  }),
  endpoint({
    method: 'DELETE',
    path: '/departments/{department_id}',
    tag: 'People',
    summary: 'Delete a department; its tickets move to the default one, or to the one that is named',
    minRole: 'admin',
    query: departmentEnd,
    responses: { 204: null },
    errors: ['DEPARTMENT_NOT_FOUND', 'DEFAULT_DEPARTMENT', 'VALIDATION_ERROR'],
    run: call => deleteDepartment(call.db, call, call.params.department_id!, call.query, move),
  }),
]

const own: Endpoint[] = [
  endpoint({
    method: 'PUT',
    path: '/me/status',
    tag: 'People',
    summary: 'Set your status',
    description:
      'The status is shown while you have a tab open. 30 seconds after the last tab is closed it becomes `offline`; with the next tab, it becomes the chosen status again.',
    body: statusChoice,
    responses: { 200: ownStatus },
    errors: [],
    run: call => chooseStatus(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: '/me/signature',
    tag: 'People',
    summary: 'Read your signature',
    responses: { 200: ownSignature },
    errors: [],
    run: call => getSignature(call.db, call),
  }),
  endpoint({
    method: 'PUT',
    path: '/me/signature',
    tag: 'People',
    summary: 'Change your signature',
    description:
      "It is added at the end of your email replies. If it is empty, the signature of the ticket's department or of the mailbox is used.",
    body: ownSignature,
    responses: { 200: ownSignature },
    errors: [],
    run: call => updateSignature(call.db, call, call.body),
  }),
]

export const operatorDashboard = (deps: OperatorDeps, farewell: OnRemoval): Endpoint[] => [
  ...people(deps),
  ...own,
  ...changes(farewell),
  ...links(deps),
  ...departments(farewell),
  ...securityEndpoints(deps.config),
]
