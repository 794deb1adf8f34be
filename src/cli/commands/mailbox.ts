import {
  createMailbox,
  type getMailbox,
  type MailboxCaller,
  pauseMailbox,
  resumeMailbox,
} from '../../channels/email/mailboxes.ts'
import { listMailboxes } from '../../channels/email/page-mailboxes.ts'
import { tryMailbox } from '../../channels/email/try-mailbox.ts'
import { createVault, type Vault } from '../../core/crypto.ts'
import { ApiError } from '../../core/errors.ts'
import { loadSecretKey, verifySecretKey } from '../../core/secret-key.ts'
import { UserError } from '../../core/user-error.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import type { CliSession } from '../session.ts'
import { drawRecords } from '../table.ts'
import { mailboxChoices, readNewMailbox } from './mailbox-values.ts'

async function openMailVault({ config, db }: CliSession): Promise<Vault> {
  const key = loadSecretKey(config)
  await verifySecretKey(db, key)
  return createVault(key)
}

/** Turns an API error into a one-line error of the command line. */
async function asUserErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) throw new UserError(error.message)
    throw error
  }
}

const callerOf = (projectId: string): MailboxCaller => ({
  project: { id: projectId },
  actor: { type: 'cli' },
})

async function findProjectOf({ db }: CliSession, id: string): Promise<string> {
  const [row] = await db<{ project_id: string }[]>`
    select project_id from mailboxes where project_id is not null and id::text = ${id}`
  if (!row) throw new UserError(`Mailbox ${id} not found; list mailboxes with deskbell mailbox list`)
  return row.project_id
}

const summaryOf = (row: Awaited<ReturnType<typeof getMailbox>>) => ({
  id: row.id,
  address: row.address,
  incoming: row.incoming,
  state: row.state,
  last_ok_at: row.last_ok_at,
  last_error: row.last_error?.text ?? null,
})

const testCommand = command(
  {
    name: 'mailbox test',
    about: "Logs in to a mailbox's server and lists its folders, without changing anything",
    arguments: ['ID'],
  },
  async (session, { ID: id = '' }) =>
    tryMailbox({ ...session, vault: await openMailVault(session) }, await findProjectOf(session, id), id),
  ({ text: found }) => found,
)

export const mailboxCommands: Command[] = [
  command(
    {
      name: 'mailbox create',
      about:
        'Creates a mailbox at which a project receives email. Reads passwords and tokens from files; one of them can be - for standard input',
      required: ['project', 'address'],
      optional: [
        ...['name', 'incoming', 'host', 'port', 'security', 'user', 'password-file'],
        ...['provider', 'client-id', 'client-secret-file', 'refresh-token-file', 'token-url'],
        ...['start-from', 'start-days', 'after-fetch', 'after-fetch-folder'],
      ],
      choices: mailboxChoices,
    },
    async (session, values) => {
      const { project = '' } = values
      await findProject(session.db, project)
      const deps = { config: session.config, vault: await openMailVault(session) }
      const input = await readNewMailbox(values)
      return summaryOf(await asUserErrors(createMailbox(deps, session.db, callerOf(project), input)))
    },
    ({ id, address }) => `Mailbox ${address}: ${id}. Check its connection with deskbell mailbox test ${id}`,
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
    ({ items }) => drawRecords(items, 'No mailboxes; add one with deskbell mailbox create'),
  ),
  {
    ...testCommand,
    run: async values => {
      const { result } = await testCommand.run(values)
      return { result, status: (result as { ok: boolean }).ok ? 0 : 1 }
    },
  },
  command(
    {
      name: 'mailbox pause',
      about: 'Pauses a mailbox. Email stays on the server',
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
]
