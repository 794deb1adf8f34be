import { type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { getMailbox } from '../mailboxes/mailboxes.ts'
import { requestProbe, showProbe } from './probe-result.ts'
import { mailboxProbe } from './probe-schema.ts'
import type { ProbeDeps } from './send-probe.ts'

const tag = 'E-mail'
const minRole = 'admin'
const path = '/mailboxes/{mailbox_id}/probe'

export const probeEndpoints = (deps: Omit<ProbeDeps, 'db'>): Endpoint[] => [
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: "Get the result of a mailbox's test email",
    description:
      'The result of the latest test. A mailbox is tested on request, when it is added, and after its servers change.',
    minRole,
    responses: { 200: mailboxProbe },
    errors: ['MAILBOX_NOT_FOUND'],
    run: async ({ db, project, params }) => {
      const { id } = await getMailbox(db, project.id, params.mailbox_id!)
      return showProbe(db, project.id, id)
    },
  }),
  endpoint({
    method: 'POST',
    path,
    tag,
    summary: 'Send a test email from a mailbox to itself',
    description:
      'Sends one email to the address of the mailbox and one to a plus address (`name+tag@example.com`). The test ends when both have arrived, or after 5 minutes. They do not become tickets. `plus_works` of the mailbox becomes true if the second email arrives, and false if not.',
    minRole,
    isWaiting: true,
    responses: { 202: mailboxProbe },
    errors: ['MAILBOX_NOT_FOUND'],
    run: call => requestProbe({ ...deps, db: call.db }, call, call.params.mailbox_id!),
  }),
]
