import { bytes, type Endpoint, endpoint } from '../../../core/endpoint.ts'
import type { Storages } from '../../../media/media.ts'
import { makeMailTicket, moveMail, reparseMail } from './decide-mail.ts'
import { getLoggedMail, pageMailLog, serveRawMail } from './mail-log.ts'
import { loggedMailDetails, mailLog, mailLogQuery, mailMove } from './mail-log-schema.ts'

const tag = 'E-mail'
const path = '/mail-log/{mail_id}'
const errors: Endpoint['errors'] = ['mail_not_found', 'VALIDATION_ERROR']

const decided =
  'The response shows the entry, whose state is `stored` until the email has been handled. Repeating the request changes nothing.'

const decidingEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: `${path}/reparse`,
    tag,
    summary: 'Handle a received email again',
    description: `Reads the stored email with the current version of Deskbell, and gives it a new outcome. If it is already a message, the content, files and \`email\` of the message are replaced, and \`changes\` lists the fields that differ. The message keeps its ticket, text that someone edited, and the results of the sender check. No event is emitted. ${decided}`,
    minRole: 'admin',
    responses: { 202: loggedMailDetails },
    errors,
    run: call => reparseMail(call.db, call, call.params.mail_id!),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/ticket`,
    tag,
    summary: 'Make a received email a ticket',
    description: `An email that was only logged, or that needs attention, becomes a new ticket of its sender. A message is moved to a ticket of its own at once, as by \`POST /messages/{message_id}/split\`, unless it is the first of its ticket. ${decided}`,
    responses: { 202: loggedMailDetails },
    errors: [...errors, 'TICKET_LIMIT_REACHED'],
    run: call => makeMailTicket(call.db, call, call.params.mail_id!),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/move`,
    tag,
    summary: 'Add a received email to a ticket',
    description: `An email that was only logged, or that needs attention, becomes a message of this ticket, which is reopened if it is closed. A message is moved to this ticket at once, and neither ticket changes its status. If it is the only message of its ticket, that ticket is merged into this one. ${decided}`,
    body: mailMove,
    responses: { 202: loggedMailDetails },
    errors,
    run: call => moveMail(call.db, call, call.params.mail_id!, call.body.ticket_id),
  }),
]

export const mailLogEndpoints = ({ storages }: { storages: Storages }): Endpoint[] => [
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
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Get a received email and its outcome',
    description:
      'The entry in the mail log, with the evidence for the outcome, the last error and the envelope.',
    responses: { 200: loggedMailDetails },
    errors: ['mail_not_found'],
    run: ({ db, project, params }) => getLoggedMail(db, project.id, params.mail_id!),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/raw`,
    tag,
    summary: 'Download a received email',
    description:
      'The original, byte for byte, as `message/rfc822`. 404 if it is no longer stored: see `has_raw`. If it is in a bucket of the project, the response is a 302 to a URL that works for five minutes, with `GET` only.',
    responses: { 200: bytes, 206: bytes, 302: null, 304: null },
    errors: ['mail_not_found', 'file_not_found', 'range_unsatisfiable', 'storage_unavailable'],
    run: call => serveRawMail(call, storages, call.params.mail_id!),
  }),
  ...decidingEndpoints,
]
