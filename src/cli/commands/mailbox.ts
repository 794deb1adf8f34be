import { wordFault } from '../../channels/email/mailboxes/fault.ts'
import {
  createMailbox,
  deleteMailbox,
  type getMailbox,
  pauseMailbox,
  resumeMailbox,
} from '../../channels/email/mailboxes/mailboxes.ts'
import { listMailboxes } from '../../channels/email/mailboxes/page-mailboxes.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import { accountCallerOf, accountCommand, deleteAccountCommand, listCommand } from './account-commands.ts'
import { openMailVault } from './mail-vault.ts'
import { mailboxNoun, mailboxTestCommand } from './mailbox-test.ts'
import { mailboxChoices, mailboxNotes, readNewMailbox } from './mailbox-values.ts'
import { smtpChoices, smtpNotes, smtpOptions } from './smtp-values.ts'
import { asUserErrors } from './user-errors.ts'

const summaryOf = (row: Awaited<ReturnType<typeof getMailbox>>) => ({
  id: row.id,
  address: row.address,
  incoming: row.incoming,
  state: row.state,
  last_ok_at: row.last_ok_at,
  last_error: row.last_error && wordFault(row.last_error),
  sending: row.sending,
  send_error: row.send_error && wordFault(row.send_error),
})

export const mailboxCommands: Command[] = [
  command(
    {
      name: 'mailbox create',
      about:
        'Creates a mailbox at which a project receives email, and which can also send it. docs/email.md has an example for each kind of mail server',
      required: ['project', 'address'],
      optional: [
        ...['name', 'incoming', 'host', 'port', 'security', 'user', 'password-file'],
        ...['provider', 'client-id', 'client-secret-file', 'refresh-token-file', 'token-url'],
        ...['start-from', 'start-days', 'after-fetch', 'after-fetch-folder'],
        ...smtpOptions,
      ],
      choices: { ...mailboxChoices, ...smtpChoices },
      notes: { ...mailboxNotes, ...smtpNotes },
    },
    async (session, values) => {
      const { project = '' } = values
      const input = await readNewMailbox(values)
      await findProject(session.db, project)
      const deps = { config: session.config, vault: await openMailVault(session) }
      return summaryOf(
        await asUserErrors(() => createMailbox(deps, session.db, accountCallerOf(project), input)),
      )
    },
    ({ id, address }) => `Mailbox ${address} is created. Test it with bin/deskbell mailbox test ${id}`,
  ),
  listCommand(
    mailboxNoun,
    "Lists a project's mailboxes with their state",
    async ({ db }, project) => (await listMailboxes(db, project)).map(summaryOf),
    'No mailboxes; add one with bin/deskbell mailbox create',
  ),
  mailboxTestCommand,
  accountCommand(
    mailboxNoun,
    'pause',
    'Pauses a mailbox. Its email stays on the mail server; senders to a listening mailbox try again later',
    async ({ db }, caller, id) => summaryOf(await pauseMailbox(db, caller, id)),
    ({ address }) => `Mailbox ${address} is paused`,
  ),
  accountCommand(
    mailboxNoun,
    'resume',
    'Resumes a paused or broken mailbox',
    async ({ db }, caller, id) => summaryOf(await resumeMailbox(db, caller, id)),
    ({ address }) => `Mailbox ${address} is active again`,
  ),
  deleteAccountCommand(
    mailboxNoun,
    'Deletes a mailbox and frees its address. Its tickets and messages stay',
    ({ db }, caller, id) => deleteMailbox(db, caller, id),
  ),
]
