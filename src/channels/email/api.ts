import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { pageMailLog } from './mail-log.ts'
import { pageMailboxes } from './page-mailboxes.ts'
import { mailboxPage, mailboxQuery, mailLog, mailLogQuery } from './schema.ts'

const tag = 'E-mail'

export const emailEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/mailboxes',
    tag,
    summary: "List the project's mailboxes",
    description:
      "The addresses at which the project receives email, oldest first, with each connection's state. Passwords and server settings are not included.",
    query: mailboxQuery,
    responses: { 200: mailboxPage },
    errors: [],
    run: ({ db, project, query }) => pageMailboxes(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/mail-log',
    tag,
    summary: 'List received emails and their outcomes',
    description:
      'Every email that the project has received, newest first, including those that did not become messages.',
    query: mailLogQuery,
    responses: { 200: mailLog },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, query }) => pageMailLog(db, project.id, query),
  }),
]
