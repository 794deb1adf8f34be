import { type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { showDkimKeys } from '../dkim/dkim-keys.ts'
import { getMailbox } from '../mailboxes/mailboxes.ts'
import { detectServer } from './detect.ts'
import { judgeSenderDomain } from './sender-domain.ts'
import * as setUp from './set-up-schema.ts'
import { type TrialDeps, tryMailbox, tryNewMailbox } from './try-mailbox.ts'

const tag = 'E-mail'
const minRole = 'admin'
const path = '/mailboxes/{mailbox_id}'

type Deps = Omit<TrialDeps, 'db'>

const listSetUp = (deps: Deps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/mailboxes/detect',
    tag,
    summary: "Find an address's mail servers",
    description:
      "Looks up the MX and SRV records of the address's domain. The hosts are guesses if the provider is unknown.",
    minRole,
    isWaiting: true,
    body: setUp.mailboxDetection,
    responses: { 200: setUp.detectedServer },
    errors: ['VALIDATION_ERROR'],
    run: ({ body }) => detectServer(deps.config, body.address),
  }),
  endpoint({
    method: 'POST',
    path: '/mailboxes/try',
    tag,
    summary: 'Test the settings of a new mailbox',
    description:
      'Logs in and lists the folders, and logs in to the server for sending. Nothing is stored, fetched, sent or changed.',
    minRole,
    isWaiting: true,
    body: setUp.mailboxTry,
    responses: { 200: setUp.mailboxTrial },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, body }) => tryNewMailbox({ ...deps, db }, project.id, body),
  }),
]

const senderDomain = endpoint({
  method: 'GET',
  path: `${path}/sender-domain`,
  tag,
  summary: "Check the DNS records of a mailbox's domain",
  description:
    'Looks up the SPF, DKIM and DMARC records of the domain, with which recipients check that the mailbox may send for it.',
  minRole,
  isWaiting: true,
  responses: { 200: setUp.senderDomain },
  errors: ['MAILBOX_NOT_FOUND'],
  run: async ({ db, project, params }) => {
    const mailbox = await getMailbox(db, project.id, params.mailbox_id!)
    const { keys } = await showDkimKeys(db, project.id, mailbox)
    return judgeSenderDomain(mailbox, keys.find(key => key.is_signing)?.selector ?? null)
  },
})

export const mailboxActions = (deps: Deps): Endpoint[] => [
  ...listSetUp(deps),
  senderDomain,
  endpoint({
    method: 'POST',
    path: `${path}/test`,
    tag,
    summary: "Test a mailbox's connection",
    description:
      'Logs in and lists the folders, and logs in to the server for sending. Nothing is fetched, sent or changed.',
    minRole,
    isWaiting: true,
    responses: { 200: setUp.mailboxTrial },
    errors: ['MAILBOX_NOT_FOUND'],
    run: ({ db, project, params }) => tryMailbox({ ...deps, db }, project.id, params.mailbox_id!),
  }),
]
