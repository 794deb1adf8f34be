import { bytes, type Call, type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { Storages } from '../../media/media.ts'
import { getLoggedMail, pageMailLog, serveRawMail } from './mail-log.ts'
import { loggedMailDetails, mailLog, mailLogQuery } from './mail-log-schema.ts'

const tag = 'E-mail'
const path = '/mail-log/{mail_id}'

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
    run: call => serveRawMail(call as Call, storages, call.params.mail_id!),
  }),
]
