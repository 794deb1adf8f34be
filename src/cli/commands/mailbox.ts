import { wordFault } from '../../channels/email/mailboxes/fault.ts'
import {
  createMailbox,
  deleteMailbox,
  type getMailbox,
  type MailboxCaller,
  pauseMailbox,
  resumeMailbox,
} from '../../channels/email/mailboxes/mailboxes.ts'
import { listMailboxes } from '../../channels/email/mailboxes/page-mailboxes.ts'
import { type MailboxTrial, tryMailbox } from '../../channels/email/set-up/try-mailbox.ts'
import { UserError } from '../../core/user-error.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import type { CliSession } from '../session.ts'
import { drawRecords } from '../table.ts'
import { openMailVault } from './mail-vault.ts'
import { mailboxChoices, mailboxNotes, readNewMailbox } from './mailbox-values.ts'
import { smtpChoices, smtpNotes, smtpOptions } from './smtp-values.ts'
import { asUserErrors } from './user-errors.ts'

const callerOf = (projectId: string): MailboxCaller => ({
  project: { id: projectId },
  actor: { type: 'cli' },
})

async function findProjectOf({ db }: CliSession, id: string): Promise<string> {
  const [row] = await db<{ project_id: string }[]>`
    select project_id from mailboxes where project_id is not null and id::text = ${id}`
  if (!row)
    throw new UserError(
      `Mailbox ${id} not found; list mailboxes with bin/deskbell mailbox list --project PROJECT`,
    )
  return row.project_id
}

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

const testCommand = command(
  {
    name: 'mailbox test',
    about:
      'Tests a mailbox without changing anything: logs in to its servers for receiving and sending, or says where this server accepts its email',
    arguments: ['ID'],
  },
  async (session, { ID: id = '' }) =>
    tryMailbox({ ...session, vault: await openMailVault(session) }, await findProjectOf(session, id), id),
  ({ text: found, sending }) => [found, sending?.text].filter(Boolean).join('\n'),
)

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
      return summaryOf(await asUserErrors(() => createMailbox(deps, session.db, callerOf(project), input)))
    },
    ({ id, address }) => `Mailbox ${address} is created. Test it with bin/deskbell mailbox test ${id}`,
  ),
  command(
    {
      name: 'mailbox list',
      about: "Lists a project's mailboxes with their state",
      required: ['project'],
    },
    async ({ db }, { project = '' }) => {
      await findProject(db, project)
      return { items: (await listMailboxes(db, project)).map(summaryOf) }
    },
    ({ items }) => drawRecords(items, 'No mailboxes; add one with bin/deskbell mailbox create'),
  ),
  {
    ...testCommand,
    run: async values => {
      const { result } = await testCommand.run(values)
      const { ok, sending } = result as MailboxTrial
      return { result, status: ok && sending?.ok !== false ? 0 : 1 }
    },
  },
  command(
    {
      name: 'mailbox pause',
      about:
        'Pauses a mailbox. Its email stays on the mail server; senders to a listening mailbox try again later',
      arguments: ['ID'],
    },
    async (session, { ID: id = '' }) =>
      summaryOf(await pauseMailbox(session.db, callerOf(await findProjectOf(session, id)), id)),
    ({ address }) => `Mailbox ${address} is paused`,
  ),
  command(
    {
      name: 'mailbox resume',
      about: 'Resumes a paused or broken mailbox',
      arguments: ['ID'],
    },
    async (session, { ID: id = '' }) =>
      summaryOf(await resumeMailbox(session.db, callerOf(await findProjectOf(session, id)), id)),
    ({ address }) => `Mailbox ${address} is active again`,
  ),
  command(
    {
      name: 'mailbox delete',
      about: 'Deletes a mailbox and frees its address. Its tickets and messages stay',
      arguments: ['ID'],
    },
    async (session, { ID: id = '' }) => {
      await deleteMailbox(session.db, callerOf(await findProjectOf(session, id)), id)
      return { id }
    },
    ({ id }) => `Mailbox ${id} is deleted`,
  ),
]
