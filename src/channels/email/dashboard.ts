import type { FastifyRequest } from 'fastify'
import type { Config } from '../../core/config/config.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { Storages } from '../../media/media.ts'
import { createAccountOperations } from '../accounts/account-api.ts'
import { emailEndpoints } from './api.ts'
import { getAutomaticDefaults } from './automatic/defaults.ts'
import { dkimEndpoints } from './dkim/dkim-api.ts'
import { automaticDefaults } from './mailboxes/automatic-schema.ts'
import type { MailboxRow } from './mailboxes/mailbox.ts'
import type { MailboxDeps } from './mailboxes/mailbox-input.ts'
import {
  changeMailbox,
  createMailbox,
  deleteMailbox,
  getMailbox,
  pauseMailbox,
  resumeMailbox,
} from './mailboxes/mailboxes.ts'
import { listOutages } from './mailboxes/outages.ts'
import { listMailboxes, showMailbox } from './mailboxes/page-mailboxes.ts'
import * as schema from './mailboxes/schema.ts'
import { imageEndpoints } from './messages/image-api.ts'
import { transcriptEndpoint } from './messages/transcript-api.ts'
import { listKnownAddresses, listSenderChoices } from './outgoing/composer-facts.ts'
import * as outgoing from './outgoing/outgoing-schema.ts'
import { probeEndpoints } from './probes/probe-api.ts'
import { replyMailboxEndpoints } from './reply-mailboxes/reply-mailbox-api.ts'
import { mailboxActions } from './set-up/mailbox-actions.ts'
import { signInEndpoints } from './set-up/sign-in-api.ts'

const tag = 'E-mail'
const minRole = 'admin'
const path = '/mailboxes/{mailbox_id}'

export type EmailDashboardDeps = MailboxDeps & {
  config: Config
  storages: Storages
  sessionIdOf(request: FastifyRequest): string
}

const reading: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/mailboxes/outages',
    tag,
    summary: 'List mailboxes that receive or send nothing',
    description:
      'Mailboxes that are not fetched until someone corrects a problem, those that could not be fetched for 15 minutes, and those that cannot send.',
    responses: { 200: schema.mailboxOutages },
    errors: [],
    run: async ({ db, project }) => ({ items: await listOutages(db, project.id) }),
  }),
  endpoint({
    method: 'GET',
    path: '/mailboxes/automatic-texts',
    tag,
    summary: "Get Deskbell's own texts for automatic emails",
    minRole,
    responses: { 200: automaticDefaults },
    errors: [],
    run: ({ db, project }) => getAutomaticDefaults(db, project.id),
  }),
]

const composing: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/mailboxes/choices',
    tag,
    summary: 'List the mailboxes that an operator can send from',
    description:
      'All mailboxes of the project, without their settings. `can_send` says which ones can be chosen.',
    responses: { 200: outgoing.senderChoices },
    errors: [],
    run: async ({ db, project }) => ({ items: await listSenderChoices(db, project.id) }),
  }),
  endpoint({
    method: 'GET',
    path: '/email-addresses',
    tag,
    summary: 'Look up the recipients of an email',
    description:
      'Returns the name for each address, and whether email can be sent to it. Repeat the parameter `address` for several addresses.',
    query: outgoing.addressQuery,
    responses: { 200: outgoing.knownAddresses },
    errors: ['VALIDATION_ERROR'],
    run: async ({ db, project, query }) => {
      const { address = [] } = query
      return { items: await listKnownAddresses(db, project.id, address) }
    },
  }),
]

const operations = createAccountOperations<MailboxRow>({
  ...{ tag, path, noun: 'a mailbox', notFound: 'MAILBOX_NOT_FOUND', shape: schema.mailboxSettings },
  show: ({ db, project }, mailbox) => showMailbox(db, project.id, mailbox),
})

const mailboxes = (deps: EmailDashboardDeps): Endpoint[] => [
  operations.list(
    { summary: 'List mailboxes with their settings' },
    schema.mailboxSettingsList,
    ({ db, project }) => listMailboxes(db, project.id),
  ),
  operations.get({ summary: 'Get a mailbox with its settings' }, getMailbox),
  operations.create(
    {
      summary: 'Add a mailbox',
      description:
        'Fetching starts immediately. Passwords and tokens are stored encrypted and never returned.',
      ...{ body: schema.newMailbox, errors: ['MAILBOX_EXISTS'] },
    },
    call => createMailbox(deps, call.db, call, call.body),
  ),
  operations.change(
    {
      description:
        'Only the fields in the request change. Passwords and tokens are kept, unless the server or the authentication method changes. In that case, send them again.',
      ...{ body: schema.mailboxChange, errors: ['MAILBOX_EXISTS'] },
    },
    (call, id) => changeMailbox(deps, call.db, call, id, call.body, call.version),
  ),
  operations.setState(
    'pause',
    {
      description:
        'Email stays on the server. The listener returns a temporary error, so that senders retry later.',
    },
    pauseMailbox,
  ),
  operations.setState('resume', { description: 'Also retries a broken mailbox.' }, resumeMailbox),
  operations.delete(
    {
      summary: 'Remove a mailbox',
      description:
        'Its tickets and its entries in the mail log are kept. Nothing changes on the mail server.',
    },
    (call, id) => deleteMailbox(call.db, call, id),
  ),
]

export const emailDashboard = (deps: EmailDashboardDeps): Endpoint[] => [
  ...emailEndpoints(deps),
  ...imageEndpoints(deps),
  transcriptEndpoint(deps),
  ...reading,
  ...composing,
  ...replyMailboxEndpoints,
  ...signInEndpoints(deps),
  ...mailboxes(deps),
  ...mailboxActions(deps),
  ...probeEndpoints(deps),
  ...dkimEndpoints(deps),
]
