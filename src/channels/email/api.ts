import type { Vault } from '../../core/crypto.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { Storages } from '../../media/media.ts'
import { mailLogEndpoints } from './log/mail-log-api.ts'
import { pageMailboxes } from './mailboxes/page-mailboxes.ts'
import { mailboxPage, mailboxQuery } from './mailboxes/schema.ts'
import { emailMessageEndpoints } from './messages/message-api.ts'
import { senderEndpoints } from './senders/sender-api.ts'

const tag = 'E-mail'

export const emailEndpoints = (deps: { storages: Storages; vault: Vault }): Endpoint[] => [
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
  ...mailLogEndpoints(deps),
  ...senderEndpoints,
  ...emailMessageEndpoints(deps),
]
