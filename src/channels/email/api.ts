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
    summary: 'List the mailboxes of the project',
    description:
      'Each address at which the project receives mail, oldest first, with the state of its connection. Passwords and servers are not included.',
    query: mailboxQuery,
    responses: { 200: mailboxPage },
    errors: [],
    run: ({ db, project, query }) => pageMailboxes(db, project.id, query),
  }),
  endpoint({
    method: 'GET',
    path: '/mail-log',
    tag,
    summary: 'List received mails and their outcome',
    description:
      'Every mail that the project has received, newest first, also those that did not become a message.',
    query: mailLogQuery,
    responses: { 200: mailLog },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, query }) => pageMailLog(db, project.id, query),
  }),
]
