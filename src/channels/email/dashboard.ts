import type { FastifyRequest } from 'fastify'
import type { Config } from '../../core/config/config.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { Storages } from '../../media/media.ts'
import { emailEndpoints } from './api.ts'
import { getAutomaticDefaults } from './automatic/defaults.ts'
import { dkimEndpoints } from './dkim/dkim-api.ts'
import { automaticDefaults } from './mailboxes/automatic-schema.ts'
import type { MailboxDeps } from './mailboxes/mailbox-input.ts'
import { changeMailbox, createMailbox, deleteMailbox, getMailbox } from './mailboxes/mailboxes.ts'
import { listOutages } from './mailboxes/outages.ts'
import { listMailboxes, showMailbox } from './mailboxes/page-mailboxes.ts'
import * as schema from './mailboxes/schema.ts'
import { imageEndpoints } from './messages/image-api.ts'
import { emailMessageEndpoints } from './messages/message-api.ts'
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
    path: '/mailboxes',
    tag,
    summary: 'List mailboxes with their settings',
    minRole,
    responses: { 200: schema.mailboxSettingsList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listMailboxes(db, project.id) }),
  }),
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
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Get a mailbox with its settings',
    minRole,
    responses: { 200: schema.mailboxSettings },
    errors: ['MAILBOX_NOT_FOUND'],
    run: async ({ db, project, params }) =>
      showMailbox(db, project.id, await getMailbox(db, project.id, params.mailbox_id!)),
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

const create = (deps: EmailDashboardDeps) =>
  endpoint({
    method: 'POST',
    path: '/mailboxes',
    tag,
    summary: 'Add a mailbox',
    description: 'Fetching starts immediately. Passwords and tokens are stored encrypted and never returned.',
    minRole,
    body: schema.newMailbox,
    responses: { 201: schema.mailboxSettings },
    errors: ['MAILBOX_EXISTS', 'VALIDATION_ERROR'],
    run: async call => {
      const made = await createMailbox(deps, call.db, call, call.body)
      return showMailbox(call.db, call.project.id, made)
    },
  })

const change = (deps: EmailDashboardDeps) =>
  endpoint({
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a mailbox',
    description:
      'Only the fields in the request change. Passwords and tokens are kept, unless the server or the authentication method changes. In that case, send them again.',
    minRole,
    body: schema.mailboxChange,
    responses: { 200: schema.mailboxSettings },
    errors: ['MAILBOX_NOT_FOUND', 'MAILBOX_EXISTS', 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: async call => {
      const input = call.body
      const changed = await changeMailbox(deps, call.db, call, call.params.mailbox_id!, input, call.version)
      return showMailbox(call.db, call.project.id, changed)
    },
  })

const remove = endpoint({
  method: 'DELETE',
  path,
  tag,
  summary: 'Remove a mailbox',
  description: 'Its tickets and its entries in the mail log are kept. Nothing changes on the mail server.',
  minRole,
  responses: { 204: null },
  errors: ['MAILBOX_NOT_FOUND'],
  run: call => deleteMailbox(call.db, call, call.params.mailbox_id!),
})

export const emailDashboard = (deps: EmailDashboardDeps): Endpoint[] => [
  ...emailEndpoints(deps),
  ...emailMessageEndpoints(deps),
  ...imageEndpoints(deps),
  transcriptEndpoint(deps),
  ...reading,
  ...composing,
  ...replyMailboxEndpoints,
  ...signInEndpoints(deps),
  create(deps),
  change(deps),
  remove,
  ...mailboxActions(deps),
  ...probeEndpoints(deps),
  ...dkimEndpoints(deps),
]
