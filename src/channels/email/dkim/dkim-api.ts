import type { Vault } from '../../../core/crypto.ts'
import { type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { createDns } from '../../../mail/dns.ts'
import { getMailbox } from '../mailboxes/mailboxes.ts'
import { checkDkim, createDkimKey, deleteDkim, showDkimKeys } from './dkim-keys.ts'
import * as schema from './dkim-schema.ts'

const tag = 'E-mail'
const minRole = 'admin'
const path = '/mailboxes/{mailbox_id}/dkim'
const errors = ['MAILBOX_NOT_FOUND'] as const

const reading: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: "List the signing keys of a mailbox's domain",
    description:
      'The keys that Deskbell signs emails with (DKIM), and the DNS records to publish for them. All mailboxes of the project at the same domain share them. Private keys are never returned.',
    minRole,
    responses: { 200: schema.dkimKeys },
    errors: [...errors],
    run: async ({ db, project, params }) =>
      showDkimKeys(db, project.id, await getMailbox(db, project.id, params.mailbox_id!)),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/check`,
    tag,
    summary: 'Look up the DNS records of the signing keys',
    description:
      'Emails are signed with the newest key whose record is correct. Deskbell also looks the records up once a day.',
    minRole,
    isWaiting: true,
    responses: { 200: schema.checkedDkimKeys },
    errors: [...errors],
    run: ({ db, project, params }) => checkDkim(db, project.id, params.mailbox_id!, createDns()),
  }),
]

export const dkimEndpoints = ({ vault }: { vault: Vault }): Endpoint[] => [
  ...reading,
  endpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Create a signing key',
    description:
      'Emails are signed once the DNS record of the key is published. Until then, a key that was published earlier is used. If there is already an unpublished key, no other key is created.',
    minRole,
    responses: { 201: schema.dkimKeys },
    errors: [...errors],
    run: call => createDkimKey({ db: call.db, vault }, call, call.params.mailbox_id!),
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete the signing keys',
    description: "Deletes all keys of the mailbox's domain. Emails are no longer signed.",
    minRole,
    responses: { 200: schema.dkimKeys },
    errors: [...errors],
    run: call => deleteDkim(call.db, call, call.params.mailbox_id!),
  }),
]
